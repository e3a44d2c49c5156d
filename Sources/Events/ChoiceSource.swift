// Every draw of a run comes from here.
//
// A run is a pure function of its choices. Each label has a generator of its own, derived from the seed, so that
// one more latency draw does not move every later scheduling decision: runs that differ in one respect stay
// comparable, and a shrinker can shorten one stream without scrambling the others. 0 is always the simplest choice
// (the oldest job, the shortest delay, no fault), so a replay that runs out of recorded choices goes on with zeros.

/// The stream that a choice is drawn from.
public enum ChoiceLabel: UInt8, Sendable, CaseIterable {
  /// What the readers do.
  case workload
  /// Which ready job runs next.
  case schedule
  /// How long something takes.
  case latency
  /// Whether a fault strikes.
  case fault
  /// How a randomly configured run is set up.
  case configuration
}

/// A seeded source of labelled choices that can record what it gave and replay what was recorded.
public struct ChoiceSource: Sendable {
  private var streams: [SplitMix64]
  private var replay: ChoiceLog.Cursor?

  /// Everything that was chosen so far; nil unless recording was asked for.
  public private(set) var log: ChoiceLog?

  /// Creates a source whose choices follow from a seed.
  ///
  /// - Parameters:
  ///   - seed: Any number; equal seeds give equal choices in every process.
  ///   - recording: Whether to keep the choices for a later replay, at one to five bytes each.
  public init(seed: UInt64, recording: Bool = false) {
    streams = ChoiceLabel.allCases.map { label in
      var root = SplitMix64(state: seed ^ (UInt64(label.rawValue) &+ 1) &* 0xA076_1D64_78BD_642F)
      return SplitMix64(state: root.next())
    }
    log = recording ? ChoiceLog() : nil
  }

  /// Creates a source that gives recorded choices again.
  ///
  /// A recorded choice that is too large for its bound becomes the largest allowed one; when the record of a label
  /// is used up the choice is 0.
  /// - Parameters:
  ///   - recorded: The choices of an earlier run.
  ///   - recording: Whether to keep the choices that are really given.
  public init(replaying recorded: ChoiceLog, recording: Bool = false) {
    self.init(seed: 0, recording: recording)
    replay = recorded.makeCursor()
  }

  /// Chooses one of `bound` possibilities.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - bound: How many possibilities there are, at least 1. With 1 nothing is drawn and nothing recorded.
  ///   - label: The stream to draw from.
  /// - Returns: A number from 0, the simplest choice, up to but not including `bound`.
  public mutating func choose(upTo bound: UInt64, label: ChoiceLabel) -> UInt64 {
    guard bound > 1 else { return 0 }
    let value: UInt64
    if replay != nil {
      value = min(replay!.next(label) ?? 0, bound - 1)
    } else {
      value = streams[Int(label.rawValue)].next().multipliedFullWidth(by: bound).high
    }
    log?.append(value, label: label)
    return value
  }
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014): one addition and two multiplications a number.
struct SplitMix64: Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
