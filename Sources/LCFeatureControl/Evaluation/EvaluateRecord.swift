import ClientCore

/// What the cache keeps of one good answer: one immutable value, replaced whole (BEHAVIOUR rule 1.5).
struct EvaluateRecord: Sendable {
  /// The snapshot of a call that finds the record fresh, made once so that a hit copies references only.
  let fresh: FeatureControlSnapshot
  /// The snapshot of the calls whose flight brought the answer.
  let flight: FeatureControlSnapshot
  /// The snapshot of a call that had to fall back on the record.
  let stale: FeatureControlSnapshot
  /// Every value the record can give, for undecodable keys of the next answer.
  private let held: [String: FeatureControlFlag]

  /// Creates the record of an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - keys: The keys of the request.
  ///   - previous: What was held under the same cache key, for keys that the answer carries undecodably.
  ///   - defaults: The manager's defaults, for keys that the answer leaves out.
  init(
    _ answer: EvaluateAnswer, keys: [String], previous: EvaluateRecord?,
    defaults: [String: FeatureControlFlag]
  ) {
    var held = answer.flags
    var carried: Set<String> = []
    for key in answer.undecodable {
      guard let flag = previous?.held[key] else { continue }
      held[key] = flag
      carried.insert(key)
    }
    self.held = held
    func snapshot(_ origin: FeatureControlSnapshot.Origin) -> FeatureControlSnapshot {
      .compose(keys, defaults: defaults) { key in
        held[key].map { ($0, carried.contains(key) ? .stale : origin) }
      }
    }
    fresh = snapshot(.fresh)
    flight = snapshot(.flight)
    stale = snapshot(.stale)
  }
}

extension FeatureControlSnapshot {
  /// Composes a snapshot key by key: the held value where there is one, else the default, else nothing.
  static func compose(
    _ keys: [String], defaults: [String: FeatureControlFlag],
    held: (String) -> (FeatureControlFlag, Origin)?
  ) -> FeatureControlSnapshot {
    var flags: [String: FeatureControlFlag] = [:]
    var origins: [String: Origin] = [:]
    for key in keys {
      guard let (flag, origin) = held(key) ?? defaults[key].map({ ($0, .default) }) else { continue }
      flags[key] = flag
      origins[key] = origin
    }
    return FeatureControlSnapshot(flags: flags, origins: origins)
  }

  /// The snapshot of a call for which nothing is held.
  static func defaults(
    _ defaults: [String: FeatureControlFlag], keys: [String]
  ) -> FeatureControlSnapshot {
    compose(keys, defaults: defaults) { _ in nil }
  }
}
