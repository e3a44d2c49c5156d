/// What the service gives a reader for one flag, its payload aside.
public struct ResolvedFlag: Hashable, Sendable {
  /// Whether the flag is on.
  public var isEnabled: Bool
  /// The name of the variant; nil for a flag that has none.
  public var variant: String?
  /// Why the reader gets this: `static`, `rollout` or `experiment`.
  public var reason: String
  /// The version of the definitions that last changed the flag.
  public var changedAt: Int64

  /// Creates a resolution.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether the flag is on.
  ///   - variant: The name of the variant.
  ///   - reason: Why the reader gets this.
  ///   - changedAt: The version of the definitions that last changed the flag.
  public init(isEnabled: Bool, variant: String?, reason: String, changedAt: Int64) {
    self.isEnabled = isEnabled
    self.variant = variant
    self.reason = reason
    self.changedAt = changedAt
  }
}

/// The flags of the service and how they resolve.
///
/// A flag is one of three kinds, by a hash of its key: a plain one (on or off, no variant), a rollout
/// (variants `on` and `off`) or an experiment (variants `a`, `b` and `c`, always on). A reader's bucket in a
/// flag is a stable hash of the key and everything the client says; what the reader gets is the bucket
/// shifted by the number of changes of the flag. So a change alters the answer of every reader, and
/// everything else leaves all answers alone.
///
/// Not modelled: conditions that a person could read, such as "version 3 and later", and percentages.
struct FlagDefinitions: Sendable {
  private struct Flag {
    let key: String
    let kind: Int
    var changedAt: Int64 = 1
    var changeCount: UInt64 = 0
  }

  private var flags: [Flag] = []
  private var places: [String: Int] = [:]
  private let seed: UInt64
  private(set) var version: Int64 = 1
  /// The flags as they were in earlier versions, the latest last, for replicas that lag.
  private var history: [[Flag]] = []
  /// The contents before each publish that was not rolled back.
  private var undo: [[Flag]] = []

  /// How many earlier versions a replica may lag behind.
  private static let historyLimit = 64

  /// Creates so many flags: the given keys first, each once, then generated ones.
  init(count: Int, keys: [String], seed: UInt64) {
    self.seed = seed
    for key in keys { add(key) }
    var number = 0
    while flags.count < count {
      number += 1
      let digits = "\(number)"
      add("fc.generated_" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
    }
  }

  var keys: [String] { flags.map(\.key) }

  /// Moves the version and changes about a third of the flags, picked by a hash of key and version.
  mutating func publish() -> Int64 {
    undo.append(flags)
    if undo.count > Self.historyLimit { undo.removeFirst() }
    advance()
    for place in flags.indices {
      var hash = StableHash(seed: seed)
      hash.mix(flags[place].key)
      hash.mix(UInt64(version))
      guard hash.value % 3 == 0 else { continue }
      flags[place].changedAt = version
      flags[place].changeCount += 1
    }
    return version
  }

  /// Moves the version and goes back to the content before the last publish; without one only the version moves.
  mutating func rollBack() -> Int64 {
    let before = undo.popLast() ?? flags
    advance()
    for place in flags.indices where flags[place].changeCount != before[place].changeCount {
      flags[place].changeCount = before[place].changeCount
      flags[place].changedAt = version
    }
    return version
  }

  /// The definitions as they were so many versions ago, as far as they are remembered.
  func lagging(_ versions: Int) -> FlagDefinitions {
    guard versions > 0, !history.isEmpty else { return self }
    let steps = min(versions, history.count)
    var earlier = self
    earlier.flags = history[history.count - steps]
    earlier.version = version - Int64(steps)
    return earlier
  }

  private mutating func advance() {
    history.append(flags)
    if history.count > Self.historyLimit { history.removeFirst() }
    version += 1
  }

  /// Returns what a reader gets for a key, nil for a key that is not defined.
  func resolve(_ key: String, _ reader: ReaderHash) -> ResolvedFlag? {
    guard let flag = places[key].map({ flags[$0] }) else { return nil }
    var hash = StableHash(seed: seed)
    hash.mix(key)
    hash.mix(reader.value)
    let bucket = hash.value >> 1 &+ flag.changeCount
    return switch flag.kind {
    case 0:
      ResolvedFlag(isEnabled: bucket % 2 == 0, variant: nil, reason: "static", changedAt: flag.changedAt)
    case 1:
      ResolvedFlag(
        isEnabled: bucket % 2 == 0,
        variant: bucket % 2 == 0 ? "on" : "off",
        reason: "rollout",
        changedAt: flag.changedAt
      )
    default:
      ResolvedFlag(
        isEnabled: true,
        variant: ["a", "b", "c"][Int(bucket % 3)],
        reason: "experiment",
        changedAt: flag.changedAt
      )
    }
  }

  private mutating func add(_ key: String) {
    guard places[key] == nil else { return }
    var hash = StableHash(seed: seed)
    hash.mix(key)
    places[key] = flags.count
    flags.append(Flag(key: key, kind: Int(hash.value % 3)))
  }
}

/// The hash of everything a client says of a reader, computed once for all keys of a request.
struct ReaderHash {
  let value: UInt64

  init(environment: String, context: EvaluationContext) {
    var hash = StableHash(seed: 0)
    hash.mix(environment)
    hash.mix(context.subjectType)
    hash.mix(context.subjectId)
    for text in [context.storeId, context.platform, context.appVersion] {
      hash.mix(text == nil ? 0 : 1)
      if let text { hash.mix(text) }
    }
    if !context.attributes.isEmpty {
      var writer = JSONWriter(capacity: 64)
      AttributeValue.object(context.attributes).write(to: &writer)
      hash.mix(writer.bytes)
    }
    value = hash.value
  }
}

/// A 64-bit hash that is the same in every process: FNV-1a over the bytes, with the length of each part mixed
/// in, so that `ab`+`c` and `a`+`bc` differ, and a last stir, because FNV leaves the low bits of similar
/// texts similar.
struct StableHash {
  private var state: UInt64

  init(seed: UInt64) { state = 0xCBF2_9CE4_8422_2325 ^ seed &* 0x9E37_79B9_7F4A_7C15 }

  var value: UInt64 {
    var stirred = state
    stirred = (stirred ^ stirred >> 33) &* 0xFF51_AFD7_ED55_8CCD
    stirred = (stirred ^ stirred >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return stirred ^ stirred >> 33
  }

  mutating func mix(_ text: String) {
    mix(UInt64(text.utf8.count))
    for byte in text.utf8 { step(byte) }
  }

  mutating func mix(_ bytes: [UInt8]) {
    mix(UInt64(bytes.count))
    for byte in bytes { step(byte) }
  }

  mutating func mix(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { step(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
  }

  private mutating func step(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
