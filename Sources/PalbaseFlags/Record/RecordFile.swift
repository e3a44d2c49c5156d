import ClientCore
import Foundation
import Palbase

/// What was on the device.
enum LoadedRecord: Sendable {
  /// Nothing, or nothing that could be asked for.
  case nothing
  /// A record of this reader.
  case record(FlagsRecord)
  /// Something that must not be used: torn, of another schema, of another reader or of another project.
  case discarded
}

/// The form in which a record outlives a launch (BEHAVIOUR §3, Persistence).
///
/// One JSON object:
/// ```json
/// {"check":"0123456789abcdef","context":{…},"etag":"…","project":"…","reader":"user:17","schema":1,"values":{…},"version":7}
/// ```
/// A record that lacks a flag which did not decode says so with `"isWhole":false`.
///
/// `check` comes first and is the FNV-1a hash of all bytes after it, so that a record that was torn or changed in any byte is
/// told from a sound one before anything of it is believed. It guards against accidents, not against forgers: who can
/// write the app's files can do worse.
///
/// A record is used only if schema, reader and project are the present ones. If the app's context has changed since, as
/// after an update of the app, its values are used until the first answer, but its version and ETag are not: they name
/// what the project resolved for the old context.
struct RecordFile: Sendable {
  /// The name of the record: one for each install.
  static let name: RecordName = "palbase.flags"
  static let schema: Int64 = 1

  private let context: [String: String]
  private let project: String

  init(_ core: PalbaseCore) {
    context = Dictionary(core.contextQuery.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    // Whether it is the same project is all that a record must know: no key is written down.
    var hash = FNV()
    hash.add(Array(core.configuration.baseURL.utf8))
    hash.add([0])
    hash.add(Array(core.configuration.apiKey.utf8))
    project = hash.text
  }

  /// The name under which a reader's values are kept.
  ///
  /// - Parameters:
  ///   - identity: The reader.
  ///   - install: The identity of the install, of which only the name is kept, never the secret.
  /// - Returns: The name; nil for the install itself if its identity is not known.
  static func reader(_ identity: PalbaseIdentity, install: InstallIdentity?) -> String? {
    if let user = identity.userID { return "user:" + user }
    return install.map { "install:" + $0.id }
  }

  /// The bytes of a record.
  ///
  /// - Complexity: O(n log n) in the size of the values.
  func bytes(of record: FlagsRecord, reader: String) -> [UInt8] {
    var members: [String: JSONValue] = [
      "schema": .number(Double(Self.schema)), "reader": .string(reader), "project": .string(project),
      "context": .object(context.mapValues(JSONValue.string)),
      "values": .object(record.values.mapValues(\.json)),
    ]
    if let version = record.version { members["version"] = .number(Double(version)) }
    if let etag = record.etag { members["etag"] = .string(etag) }
    if !record.isWhole { members["isWhole"] = .bool(false) }
    var writer = JSONWriter()
    writer.write(.object(members))
    let rest = writer.bytes.dropFirst()
    var hash = FNV()
    hash.add(rest)
    return Array((Self.opening + hash.text + "\",").utf8) + rest
  }

  private static let opening = "{\"check\":\""

  /// Reads the bytes of a record.
  ///
  /// - Complexity: O(n) in their number.
  func record(
    from bytes: [UInt8], for identity: PalbaseIdentity, reader: String, ledger: ExposureLedger
  ) -> LoadedRecord {
    let start = Self.opening.utf8.count + FNV.digitCount + 2
    guard bytes.count > start else { return .discarded }
    let rest = bytes[start...]
    var hash = FNV()
    hash.add(rest)
    guard bytes[..<start].elementsEqual((Self.opening + hash.text + "\",").utf8),
      let members = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      Int64(version: members["schema"]) == Self.schema,
      members["reader"] as? String == reader, members["project"] as? String == project,
      let values = members["values"] as? [String: Any]
    else { return .discarded }
    let isOfThisContext = members["context"] as? [String: String] == context
    return .record(
      FlagsRecord(
        identity: identity, version: isOfThisContext ? Int64(version: members["version"]) : nil,
        etag: isOfThisContext ? members["etag"] as? String : nil,
        values: DecodedFlags(values, ledger: ledger).flags, isWhole: members["isWhole"] as? Bool ?? true,
        receipt: nil))
  }
}

/// The hash of Fowler, Noll and Vo, in its variant 1a with 64 bits.
private struct FNV {
  static let digitCount = 16
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// The hash as 16 hexadecimal digits.
  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits
  }
}
