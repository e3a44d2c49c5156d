import Events

/// Judges `fleet`: a fleet of devices does not stampede.
///
/// **Statement.** After a mark (a publish, an invalidation, a switch of users, a flush of all, the end of a fault) the peak
/// of arrivals per second is at most α times the mean per second outside the 60 s after marks; if nothing
/// arrives there, at most α × readers ÷ jitter window. Over the whole run there are at most β evaluate
/// requests for each need, a need being an (instance, epoch, cache key) that became due: the first call that
/// finds nothing fresh since the last good answer.
///
/// **Unit of a check.** A mark within 60 s of which requests arrived, and a need.
///
/// **Red.** A bound is passed. It is judged when the run is over, and the violation names the peak second.
///
/// **How it counts.** Seconds are those of virtual time, as in the report's peak. An arrival belongs to the
/// time after marks if a mark lies before it, by no more than 60 s, also where both fall into one second:
/// what came in that second before the mark is none of its doing. The mean is taken from the first arrival of
/// the run to the last; less than a second of calm counts as a second.
///
/// One arrival is a peak of one per second, so a fleet that seldom asks needs a large α.
///
/// **Why a correct client is never red.** The bounds are the scenario's: they say what its service can bear.
/// An answer closes a need only if it came in time; a call that began within the instant of the answer opens
/// one, in the client's favour.
///
/// **Not seen.** Which request was too many. Expiry makes no mark of its own: each entry expires for itself.
/// What a cache that is too small has thrown away is no need.
struct FleetJudge: Judge {
  static let invariant = Invariant.fleet
  static let interests: Moments = [.calls, .requests, .others]

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
  private var requests = 0
  private var needs = 0
  /// For each cache entry the epoch, by the event that began it, for which a need is open.
  private var open: [Int32: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    switch event {
    case .requestArrived:
      arrive(at: stamp.nanoseconds, &docket)
    case .marked:
      // Of marks that fall together one stands for all.
      if marks.last != stamp.nanoseconds { marks.append(stamp.nanoseconds) }
      newMarks.append(stamp.nanoseconds)
    case .callBegan(let call, _, let instance, _, .some):
      guard let record = shadow.calls[call.rawValue], !record.mayHaveFoundFresh else { return }
      let entry = shadow.groups[Int(record.group)].entry
      let epoch = shadow.instance(instance).fenceEnd
      if open.updateValue(epoch, forKey: entry) != epoch {
        needs += 1
        docket.check()
      }
    case .requestStarted(_, _, .evaluate, _):
      requests += 1
    case .requestCompleted(let request, .answered(200, .some)):
      guard let place = shadow.place(of: request) else { return }
      let entry = shadow.groups[place.group].entry
      if shadow.entries[Int(entry)].lastReceived == stamp.nanoseconds { open[entry] = nil }
    default:
      break
    }
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

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard let bounds = shadow.facts.fleet else { return }
    judgePeak(bounds, at: stamp, &docket)
    guard needs > 0, Double(requests) > bounds.beta * Double(needs) else { return }
    docket.convict(
      at: stamp,
      "\(requests) evaluate requests for \(needs) needs are \(Self.figure(Double(requests) / Double(needs))) "
        + "for each; \(Self.figure(bounds.beta)) is the bound")
  }

  private func judgePeak(_ bounds: FleetBounds, at stamp: Stamp, _ docket: inout Docket) {
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
