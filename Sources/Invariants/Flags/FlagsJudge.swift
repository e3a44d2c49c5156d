import Events

/// The judge of one invariant of the flags client.
///
/// A judge keeps what only it needs; everything else it reads from the shadow, which has already taken in the event.
/// *Never*-clauses are judged at the event, *exactly*- and *eventually*-clauses when virtual time is about to move
/// (BEHAVIOUR §4).
protocol FlagsJudge: Sendable {
  /// The invariant judged.
  static var invariant: Invariant { get }

  /// The moments that the judge wants to see; `finish` comes to all.
  static var interests: Moments { get }

  /// Creates a judge that has seen nothing.
  init()

  /// Judges an event.
  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket)

  /// Judges an instant of which everything has happened.
  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket)

  /// Judges what never came.
  mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket)
}

extension FlagsJudge {
  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {}
  mutating func timeAdvances(from stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {}
  mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {}
}
