import Events

/// Judges `no-escape` in a run of the flags client; statement, unit and limits are those of `NoEscapeJudge`.
///
/// A client that is killed, and closed later with the rest of the run, is one check.
struct FlagsNoEscapeJudge: FlagsJudge {
  static let invariant = Invariant.noEscape
  static let interests: Moments = [.calls, .others]

  private var watch = EscapeWatch()

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    watch.observe(event, at: stamp, &docket)
  }
}
