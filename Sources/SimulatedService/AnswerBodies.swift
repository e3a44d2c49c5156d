/// The bodies of good answers, in JSON with sorted names.
enum AnswerBodies {
  /// Flags with their payloads.
  static func flags(
    _ flags: [(key: String, flag: ResolvedFlag)], serial: UInt64, version: Int64
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 16 + flags.count * 184)
    writer.beginObject()
    writer.name("flags")
    writer.beginObject()
    for (key, flag) in flags {
      writer.name(key)
      write(flag, key, serial, version, to: &writer)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  /// A page of the inbox.
  static func page(_ items: [Inboxes.Item], next: String?, serial: UInt64) -> [UInt8] {
    var writer = JSONWriter(capacity: 32 + items.count * 200)
    writer.beginObject()
    writer.name("items")
    writer.beginArray()
    for item in items { write(item, serial, to: &writer) }
    writer.endArray()
    writer.name("nextCursor")
    if let next { writer.string(next) } else { writer.null() }
    writer.endObject()
    return writer.bytes
  }

  /// How many events were taken.
  static func accepted(_ count: Int) -> [UInt8] {
    var writer = JSONWriter(capacity: 32)
    writer.beginObject()
    writer.name("accepted")
    writer.number(count)
    writer.endObject()
    return writer.bytes
  }

  /// What marking answers.
  static let marked = Array("{}".utf8)

  private static func write(
    _ flag: ResolvedFlag, _ key: String, _ serial: UInt64, _ version: Int64, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("enabled")
    writer.bool(flag.isEnabled)
    writer.name("payload")
    writer.beginObject()
    writer.name("check")
    writer.number(
      FeatureControlService.check(
        key: key, enabled: flag.isEnabled, variant: flag.variant, reason: flag.reason, serial: serial,
        version: version))
    writer.name("serial")
    writer.number(serial)
    writer.name("version")
    writer.number(version)
    writer.endObject()
    writer.name("reason")
    writer.string(flag.reason)
    writer.name("variant")
    if let variant = flag.variant { writer.string(variant) } else { writer.null() }
    writer.endObject()
  }

  private static func write(_ item: Inboxes.Item, _ serial: UInt64, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("body")
    writer.string("Text of notification \(item.rank)")
    writer.name("createdAt")
    // Three neighbours share a time.
    writer.string(ServiceDate.iso8601(1_767_225_600 + Int64(item.rank / 3) * 60))
    writer.name("id")
    writer.string(item.id)
    writer.name("payload")
    writer.beginObject()
    writer.name("number")
    writer.number(item.number)
    writer.name("serial")
    writer.number(serial)
    writer.endObject()
    writer.name("status")
    writer.string(item.isRead ? "read" : "unread")
    writer.name("title")
    writer.string("Notification \(item.rank)")
    writer.endObject()
  }
}
