import ClientCore
import Palbase

/// Everything that is held at one moment: the values of one reader, and what they are a state of (BEHAVIOUR rule 1.5).
///
/// Immutable and replaced as a whole, so whoever has got hold of one sees one state of the project, never a mix. It belongs
/// to an epoch: a reader compares the record's with the present one and finds nothing in a record of the past.
final class FlagsRecord: Sendable {
  /// The reader whose values these are, with the epoch in which they are theirs.
  let identity: PalbaseIdentity
  /// The version of the project that the values show; nil if that is unknown, as for values of another context.
  let version: Int64?
  /// Names exactly these values for this reader and this context; nil if the service has not named them.
  let etag: String?
  /// The flags by key.
  let values: [String: HeldFlag]
  /// Whether the values are all of that version: not if a flag was skipped because it did not decode.
  let isWhole: Bool
  /// When the answer was received that the values came with; nil for values of an earlier launch.
  let receipt: MonotonicInstant?

  init(
    identity: PalbaseIdentity, version: Int64?, etag: String?, values: [String: HeldFlag],
    isWhole: Bool = true,
    receipt: MonotonicInstant?
  ) {
    self.identity = identity
    self.version = version
    self.etag = etag
    self.values = values
    self.isWhole = isWhole
    self.receipt = receipt
  }

  /// The record of a reader of whom nothing is held.
  static func empty(for identity: PalbaseIdentity) -> FlagsRecord {
    FlagsRecord(identity: identity, version: nil, etag: nil, values: [:], receipt: nil)
  }

  /// The epoch to which the record belongs.
  var epoch: UInt64 { identity.epoch }

  /// Whether a delta may be built on it.
  ///
  /// What was skipped is in no later delta unless it changes again, so values that lack it are replaced by a snapshot.
  var isBase: Bool { version != nil && isWhole }

  /// Whether there is nothing to read in it and nothing to build on.
  var isEmpty: Bool { values.isEmpty && version == nil }

  /// The record that follows when the service has confirmed these values for a version.
  func confirmed(version: Int64?, at receipt: MonotonicInstant) -> FlagsRecord {
    FlagsRecord(
      identity: identity, version: version, etag: etag, values: values, isWhole: isWhole, receipt: receipt)
  }

  /// The keys whose values differ from those of another record, added and removed ones included.
  ///
  /// What gave a value is no part of it: whoever reads a flag is told when its value changes, and only then (seed).
  /// - Complexity: O(n) in the number of flags of both.
  func keysThatDiffer(from other: FlagsRecord) -> Set<String> {
    var keys: Set<String> = []
    for (key, flag) in values where other.values[key]?.value != flag.value { keys.insert(key) }
    for key in other.values.keys where values[key] == nil { keys.insert(key) }
    return keys
  }

  /// Whether the record on the device would be the same for another record.
  ///
  /// - Complexity: O(n) in the number of flags.
  func isIdentical(to other: FlagsRecord) -> Bool {
    epoch == other.epoch && version == other.version && etag == other.etag && isWhole == other.isWhole
      && values.count == other.values.count
      && values.allSatisfy { key, flag in
        other.values[key].map { HeldFlag.areIdentical(flag, $0) } ?? false
      }
  }
}
