/// The bodies of a flags project's answers, in JSON with sorted names.
enum FlagsBodies {
  /// Flags by key, as both kinds of answers hold them.
  static func values(_ entries: [FlagEntry]) -> [UInt8] {
    var writer = JSONWriter(capacity: 16 + entries.count * 80)
    write(entries, to: &writer)
    return writer.bytes
  }

  /// All flags of a reader: `{"values":{…},"version":n}`.
  static func snapshot(_ values: [UInt8], version: Int64) -> [UInt8] {
    Array(#"{"values":"#.utf8) + values + Array(#","version":\#(version)}"#.utf8)
  }

  /// What changed between two versions: `{"changed":{…},"deleted":[…],"since":n,"version":m}`.
  static func delta(
    _ changed: [FlagEntry], deleted: [String], since: Int64, version: Int64
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 64 + changed.count * 80)
    writer.beginObject()
    writer.name("changed")
    write(changed, to: &writer)
    writer.name("deleted")
    writer.beginArray()
    for key in deleted { writer.string(key) }
    writer.endArray()
    writer.name("since")
    writer.number(since)
    writer.name("version")
    writer.number(version)
    writer.endObject()
    return writer.bytes
  }

  /// A refusal: `{"error":code}`, or with a reason.
  static func error(_ code: String?, reason: FlagsGoneReason? = nil) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    writer.beginObject()
    if let code {
      writer.name("error")
      writer.string(code)
    }
    if let reason {
      writer.name("reason")
      writer.string(reason.rawValue)
    }
    writer.endObject()
    return writer.bytes
  }

  /// How many events of a batch were taken.
  static func accepted(_ count: Int) -> [UInt8] { AnswerBodies.accepted(count) }

  /// A strong ETag over a reader's content, with its quotes.
  ///
  /// The version is no part of it, so that equal content keeps its ETag; reader and context are, so that no
  /// two of them share one.
  static func etag(
    _ values: [UInt8], _ reader: FlagsReader, _ context: ReaderContext, salt: UInt64
  ) -> String {
    var hash = StableHash(seed: salt)
    hash.mix(reader.hash)
    for text in [context.platform, context.appVersion, context.language, context.country(of: reader)] {
      hash.mix(text)
    }
    hash.mix(values)
    let digits = String(hash.value, radix: 16)
    return "\"" + String(repeating: "0", count: 16 - digits.utf8.count) + digits + "\""
  }

  private static func write(_ entries: [FlagEntry], to writer: inout JSONWriter) {
    writer.beginObject()
    for entry in entries {
      writer.name(entry.key)
      writer.beginObject()
      if let experiment = entry.experiment {
        writer.name("experiment")
        writer.string(experiment)
      }
      writer.name("source")
      writer.string(entry.source.rawValue)
      writer.name("value")
      entry.value.write(to: &writer)
      if let variant = entry.variant {
        writer.name("variant")
        writer.string(variant)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}
