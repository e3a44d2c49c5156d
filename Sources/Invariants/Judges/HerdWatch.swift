import Events

/// How many requests arrive after the marks of a run and how many outside: what the judges of `fleet` of both clients share.
///
/// A mark within 60 s of which requests arrived is a check.
struct HerdWatch: Sendable {
  private static let second: Int64 = 1_000_000_000
  private static let span: Int64 = 60_000_000_000

  /// How many requests arrived in each second, after marks only.
  private var afterMarks: [Int64: Int] = [:]
  /// How many arrived outside the time after marks.
  private var calmArrivals = 0
  private var firstArrival: Int64?
  private var lastArrival = Int64.min
  private var marks: [Int64] = []
  /// The marks after which nothing has arrived yet.
  private var newMarks: [Int64] = []

  mutating func observe(_ event: Event, at now: Int64, _ docket: inout Docket) {
    switch event {
    case .requestArrived: arrive(at: now, &docket)
    case .marked:
      // Of marks that fall together one stands for all.
      if marks.last != now { marks.append(now) }
      newMarks.append(now)
    default: break
    }
  }

  /// Judges how many requests there were for each need.
  static func judgeAmplification(
    _ requests: Int, _ kind: String, _ needs: Int, _ bounds: FleetBounds, at stamp: Stamp,
    _ docket: inout Docket
  ) {
    guard needs > 0, Double(requests) > bounds.beta * Double(needs) else { return }
    docket.convict(
      at: stamp,
      "\(requests) \(kind) requests for \(needs) needs are \(figure(Double(requests) / Double(needs))) "
        + "for each; \(figure(bounds.beta)) is the bound")
  }

  private mutating func arrive(at now: Int64, _ docket: inout Docket) {
    if firstArrival == nil { firstArrival = now }
    lastArrival = now
    if !newMarks.isEmpty {
      docket.check(newMarks.count { now - $0 < Self.span })
      newMarks.removeAll(keepingCapacity: true)
    }
    if let mark = marks.last, now - mark < Self.span {
      afterMarks[now / Self.second, default: 0] += 1
    } else {
      calmArrivals += 1
    }
  }

  /// Judges the highest second after marks.
  func judgePeak(_ bounds: FleetBounds, at stamp: Stamp, _ docket: inout Docket) {
    let peak = afterMarks.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let peak else { return }
    var mean = Double(calmArrivals) * Double(Self.second) / Double(max(Self.second, calmNanoseconds))
    if mean == 0 { mean = Double(bounds.readers) * Double(Self.second) / Double(max(1, bounds.jitterWindow)) }
    guard Double(peak.value) > bounds.alpha * mean else { return }
    docket.convict(
      at: stamp,
      "\(peak.value) requests arrived in second \(peak.key), within 60 s of a mark: "
        + "\(Self.figure(Double(peak.value) / mean)) times the mean of \(Self.figure(mean)) per second; "
        + "\(Self.figure(bounds.alpha)) is the bound")
  }

  /// How much of the time from the first arrival to the last lies outside the time after marks.
  private var calmNanoseconds: Int64 {
    guard let first = firstArrival else { return 0 }
    var calm = lastArrival - first
    var covered = first
    for mark in marks {
      let begin = max(mark, covered)
      let end = min(mark + Self.span, lastArrival)
      guard end > begin else { continue }
      calm -= end - begin
      covered = end
    }
    return calm
  }

  /// A number with at most three decimals.
  private static func figure(_ value: Double) -> String {
    guard value < 1e12 else { return "\(value)" }
    let thousandths = Int(value * 1000 + 0.5)
    var text = "\(thousandths / 1000)"
    var rest = "\(thousandths % 1000)"
    guard thousandths % 1000 != 0 else { return text }
    rest = String(repeating: "0", count: 3 - rest.count) + rest
    while rest.last == "0" { rest.removeLast() }
    text += "." + rest
    return text
  }
}
