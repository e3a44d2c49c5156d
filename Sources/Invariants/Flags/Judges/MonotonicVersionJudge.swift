import Events

/// Judges `monotonic-version` (BEHAVIOUR rule 1.4).
///
/// **Statement.** Within an epoch the version that a device holds never falls, and an answer older than what is held changes
/// nothing, not even where its version is not taken over.
///
/// **Unit of a check.** A look at a device that had a version in the same epoch before, or that an older answer has reached
/// since the last look.
///
/// **Red.**
/// 1. A device shows a lower version than at an earlier look of the epoch, or none any more.
/// 2. A device shows a version below the one that every record which it may hold has as its floor: it went back between two
///    looks.
/// 3. What a device shows is none of the records that it may hold, and the latest answer that reached it was older than all
///    of them.
///
/// **Why a correct client is never red.** A launch and a change of reader begin a new epoch. Values of another context have
/// a version that says nothing, so looks at them are left out (BEHAVIOUR §3, "Persistence").
///
/// **Not seen.** A fall that was made good before anybody looked.
struct MonotonicVersionJudge: FlagsJudge {
  static let invariant = Invariant.monotonicVersion
  static let interests: Moments = [.others]

  /// The latest look at each device, by its number.
  private var looks: [Int32: (epoch: Int, version: Int64)] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard case .device(.held(let instance, let held)) = event else { return }
    let device = shadow.device(instance)
    guard device.isLooked, !device.held.mayHold({ !$0.saysVersion }) else { return }
    let states = device.held.states
    let last = looks[instance.rawValue].flatMap { $0.epoch == device.epoch ? $0.version : nil }
    let older = device.held.arrival.flatMap { $0.isOlder ? $0.answer : nil }
    looks[instance.rawValue] = held.version.map { (device.epoch, max($0, last ?? $0)) }
    if last != nil || older != nil { docket.check() }
    let floor = states.map(\.floor).min() ?? .min
    if let last, held.version.map({ $0 < last }) ?? true {
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) holds \(words(held.version)) after it held version \(last) for the same reader"
      )
    } else if let version = held.version, version < floor {
      docket.check()
      docket.convict(
        at: stamp, instance: instance,
        "instance \(instance.rawValue) holds version \(version) although version \(floor) had reached it")
    } else if let older, !states.contains(where: { $0.shows(held) }) {
      docket.convict(
        at: stamp, instance: instance, request: older.request,
        "instance \(instance.rawValue) changed what it holds after the answer to request \(older.request.rawValue), "
          + "whose version \(older.version) is older than version \(floor), which it held")
    }
  }

  private func words(_ version: Int64?) -> String { version.map { "version \($0)" } ?? "no version" }
}

extension DeviceRecord {
  /// Whether what the client shows is to be judged: its process runs, and nobody has closed it.
  var isLooked: Bool { isRunning && !isClosed }

  /// What is wrong with what the client shows when it is looked at; nil if it may hold this.
  func fault(of held: HeldFlags) -> String? {
    let states = self.held.states
    guard !states.contains(where: { $0.shows(held) }) else { return nil }
    let shown =
      held.version.map { "\(held.content.count) values of version \($0)" } ?? "\(held.content.count) values"
    if states.contains(where: { $0.content == held.content }) {
      let version = states.last?.version.map { "version \($0)" } ?? "no version"
      return "says that it holds \(shown), but its values are of \(version)"
    }
    if states.contains(where: { $0.version == held.version }) {
      return "holds \(shown), but not the values that the service gave it for this version"
    }
    let version = states.last?.version.map { "those of version \($0)" } ?? "nothing"
    return "holds \(shown) where it must hold \(version)"
  }
}
