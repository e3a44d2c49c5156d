import ClientCore
import Events
import Foundation

/// Reads the record that a client has written, as its bytes say it.
enum StoredRecord {
  /// What a record says; of bytes that are none, nothing.
  ///
  /// - Complexity: O(n) in the size of the record.
  static func content(_ bytes: [UInt8], _ vocabulary: Vocabulary) -> StoredFlags {
    guard let members = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      return StoredFlags(subject: nil, context: nil, version: 0, content: .empty)
    }
    return StoredFlags(
      subject: (members["reader"] as? String).flatMap { subject($0, vocabulary) },
      context: (members["context"] as? [String: String]).flatMap { fields in
        guard let platform = fields["platform"], let version = fields["app_version"],
          let language = fields["language"]
        else { return nil }
        return vocabulary.context(platform: platform, appVersion: version, language: language)
      },
      version: (members["version"] as? NSNumber)?.int64Value ?? 0,
      content: content(of: members["values"] as? [String: Any] ?? [:], vocabulary))
  }

  /// The same record as a later version of the client might write it: whole, so that only its schema tells it apart.
  static func ofForeignSchema(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\"schema\":1", with: "\"schema\":9001")
    let opening = "{\"check\":\""
    guard text.hasPrefix(opening) else { return Array(text.utf8) }
    let rest = text.utf8.dropFirst(opening.utf8.count + 16 + 2)
    // FNV-1a over what follows, as the client's form of a record has it.
    let hash = rest.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    let check = opening + String(repeating: "0", count: 16 - digits.utf8.count) + digits + "\","
    return Array(check.utf8) + rest
  }

  private static func subject(_ name: String, _ vocabulary: Vocabulary) -> Subject? {
    if name.hasPrefix("user:") {
      return UserName(id: String(name.dropFirst("user:".count))).map { .user($0.number) }
    }
    return name.hasPrefix("install:") ? vocabulary.install(String(name.dropFirst("install:".count))) : nil
  }

  private static func content(of values: [String: Any], _ vocabulary: Vocabulary) -> ContentDigest {
    var content = ContentDigest()
    for (key, entry) in values.sorted(by: { $0.key < $1.key }) {
      guard let entry = entry as? [String: Any],
        let value = entry["value"].flatMap(JSONValue.init(foundation:))
      else { continue }
      content.insert(flag: vocabulary.flag(key), digest: ValueDigest.of(value))
    }
    return content
  }
}
