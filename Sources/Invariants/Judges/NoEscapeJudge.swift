import Events

/// Judges `no-escape`.
///
/// **Statement.** No step of the simulation puts work outside it: a bare `Task {}`, `Task.detached`, `Task.sleep`,
/// a foreign thread. A second run of the same seed in the same process has the same digest.
///
/// **Unit of a check.** An instance that was closed, having lived inside the simulation all the time; a second run.
///
/// **Why a correct client is never red.** A client that spawns through its environment and sleeps on the injected clock
/// never reaches the global executor, where the tripwire hangs.
///
/// **Not seen.** Reads of real clocks and random numbers, except by a digest that differs; a repository test bans the
/// calls.
struct NoEscapeJudge: Judge {
  static let invariant = Invariant.noEscape
  static let interests: Moments = [.calls, .others]

  private var watch = EscapeWatch()

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    watch.observe(event, at: stamp, &docket)
  }
}

/// Judges `no-escape` in a run of either client, which needs no shadow of it.
struct EscapeWatch: Sendable {
  /// Whose call began last, and in which step: what escapes in that step is of that call.
  private var latest: (reader: ReaderID, call: CallID, instance: InstanceID, step: UInt64)?

  mutating func observe(_ event: Event, at stamp: Stamp, _ docket: inout Docket) {
    switch event {
    case .callBegan(let call, let reader, let instance, _, _):
      latest = (reader, call, instance, stamp.step)
    case .instanceClosed:
      docket.check()
    case .escaped(let escape):
      let culprit = latest?.step == stamp.step ? latest : nil
      docket.convict(
        at: stamp, reader: culprit?.reader, instance: culprit?.instance, call: culprit?.call,
        Self.message(escape))
    case .reran(let first, let second):
      docket.check()
      if first != second {
        docket.convict(
          at: stamp,
          "a second run of the same seed has digest \(second.hexadecimal), the first had \(first.hexadecimal)"
        )
      }
    default:
      break
    }
  }

  private static func message(_ escape: Escape) -> String {
    switch escape {
    case .globalExecutor:
      "a step put work on the global executor (a bare Task {} or Task.detached); spawn through the "
        + "client's environment instead"
    case .foreignThread:
      "a foreign thread put work into the simulation (what follows a Task.sleep or a dispatch queue); sleep on the "
        + "injected clock instead"
    }
  }
}
