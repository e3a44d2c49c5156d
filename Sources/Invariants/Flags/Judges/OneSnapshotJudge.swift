import Events

/// Judges `one-snapshot-per-read` (BEHAVIOUR §3, "Reads").
///
/// **Statement.** A read, and one call of `all`, sees one record: never a mix, never an empty window, and never one that an
/// earlier read has seen replaced.
///
/// **Unit of a check.** A read of a client that runs.
///
/// **Red.** What a reader is given is not what its method gives of any record that the device may hold at this moment: a value
/// of an older record, the default while a value is held, a value of another type, a source that the value does not have, a
/// mix of two records.
///
/// **Why a correct client is never red.** Until time moves, the record before an answer and the one after it are possible, until
/// a read has seen the later one. Before the device's record has been read, and between a change of reader and the first
/// answer, nothing is held and the default is right. Of a record that was on the device before the run only `all` is judged.
///
/// **Not seen.** Which of two records with equal values a read saw.
struct OneSnapshotJudge: FlagsJudge {
  static let invariant = Invariant.oneSnapshotPerRead
  static let interests: Moments = [.replies]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard case .device(.read(let read)) = event else { return }
    let device = shadow.device(read.instance)
    guard device.isLooked else { return }
    docket.check()
    if device.held.mayHold({ $0.gives(read) }) { return }
    let states = device.held.states
    let versions = states.map { state in state.version.map { "version \($0)" } ?? "nothing" }
    docket.convict(
      at: stamp, reader: read.reader, instance: read.instance,
      "\(read), although the device holds " + versions.joined(separator: " or ")
        + (states.contains { $0.isNothing } ? "" : ": no single record gives this"))
  }
}
