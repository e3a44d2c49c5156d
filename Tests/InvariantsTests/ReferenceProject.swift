import Events

/// A project whose every version can be resolved for every reader and context, for reference runs.
struct ReferenceProject {
  static let flags: Range<Int32> = 0..<6

  /// For each version from 1 and each flag, the version at which the flag changed last; nil where it is deleted.
  private var changes: [[Int64?]] = [[1, 1, 1, 1, 1, nil]]

  var version: Int64 { Int64(changes.count) }

  mutating func publish(_ dice: inout Dice) {
    var next = changes[changes.count - 1]
    // Now and then a version changes nothing that anybody sees.
    for _ in 0..<dice.pick([0, 1, 1, 2]) {
      let flag = dice.below(Self.flags.count)
      next[flag] = dice.chance(30) ? nil : version + 1
    }
    changes.append(next)
  }

  func values(at version: Int64, for subject: Subject, in context: Int32) -> [FlagValue] {
    let row = changes[Int(version) - 1]
    return Self.flags.compactMap { flag in
      row[Int(flag)].map { value(flag, changed: $0, subject, context) }
    }
  }

  private func value(_ flag: Int32, changed: Int64, _ subject: Subject, _ context: Int32) -> FlagValue {
    var digest = Digest()
    digest.mix(UInt64(changed))
    digest.mix(UInt64(flag))
    if flag % 2 == 0 { digest.mix(UInt64(bitPattern: Int64(subject.rawValue))) }
    if flag == 3 { digest.mix(UInt64(context)) }
    let types: [ValueType] = [.bool, .string, .integer, .fraction, .composite, .string]
    let isTried = flag == 5
    return FlagValue(
      flag: flag, digest: digest.rawValue, type: types[Int(flag)], source: isTried ? .experiment : .default,
      assignment: isTried ? Int32(changed % 2) : nil)
  }

  /// The entity tag of a snapshot, of which the project changes the form now and then.
  func etag(of values: [FlagValue], rotation: UInt64) -> UInt64 { ContentDigest(values).rawValue &+ rotation }

  /// The answer to a query, as the project was at a version.
  func answer(
    _ query: FlagsQuery, for subject: Subject, in context: Int32, at version: Int64, isGone: Bool,
    rotation: UInt64
  ) -> ServedFlags {
    let values = values(at: version, for: subject, in: context)
    let whole = ContentDigest(values)
    func served(_ kind: ServedFlags.Kind, etag: UInt64? = nil) -> ServedFlags {
      ServedFlags(subject: subject, kind: kind, version: version, etag: etag, whole: whole)
    }
    guard let since = query.since else {
      let tag = etag(of: values, rotation: rotation)
      if query.etag == tag { return served(.notModified) }
      return served(.snapshot(values), etag: tag)
    }
    if isGone { return served(.gone(.deletionsExpired)) }
    if since >= version { return served(.notModified) }
    let before = self.values(at: since, for: subject, in: context)
    let kept = Set(values.map(\.flag))
    return served(
      .delta(
        since: since, changed: values.filter { !before.contains($0) },
        deleted: before.map(\.flag).filter { !kept.contains($0) }))
  }
}
