import ClientCore
import Foundation

/// The flags of an answer or of the record on the device, as far as they decode.
struct DecodedFlags: Sendable {
  var flags: [String: HeldFlag] = [:]
  /// The keys whose flags do not decode: skipped and counted, the rest is kept (BEHAVIOUR rule 1.8).
  var undecodable: Set<String> = []

  init(_ object: [String: Any], ledger: ExposureLedger) {
    flags.reserveCapacity(object.count)
    for (key, value) in object {
      if let flag = HeldFlag(foundation: value, key: key, ledger: ledger) {
        flags[key] = flag
      } else {
        undecodable.insert(key)
      }
    }
  }
}

/// A good answer of `/flags/snapshot`: everything the reader's flags are.
struct SnapshotAnswer: Sendable {
  let version: Int64
  let values: DecodedFlags
  let etag: String?

  /// Reads an answer; nil if its body does not decode.
  init?(_ response: TransportResponse, ledger: ExposureLedger) {
    guard let body = response.members, let version = Int64(version: body["version"]),
      let values = body["values"] as? [String: Any]
    else { return nil }
    self.version = version
    self.values = DecodedFlags(values, ledger: ledger)
    etag = response.header("ETag").flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// A good answer of `/flags/delta`: what is different from the version that was named.
struct DeltaAnswer: Sendable {
  let since: Int64
  let version: Int64
  let changed: DecodedFlags
  let deleted: [String]

  /// Reads an answer; nil if its body does not decode.
  init?(_ response: TransportResponse, ledger: ExposureLedger) {
    guard let body = response.members, let since = Int64(version: body["since"]),
      let version = Int64(version: body["version"]), let changed = body["changed"] as? [String: Any],
      let deleted = body["deleted"] as? [String]
    else { return nil }
    self.since = since
    self.version = version
    self.changed = DecodedFlags(changed, ledger: ledger)
    self.deleted = deleted
  }
}

extension TransportResponse {
  /// The members of the body; nil if it is no JSON object.
  ///
  /// Of two members of one name the last one counts.
  fileprivate var members: [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
  }
}

extension Int64 {
  /// Reads a version number as JSON has it: whole, not negative, exact; nil for anything else.
  init?(version value: Any?) {
    guard let value, case .number(let number)? = JSONValue(foundation: value), number >= 0,
      number <= 9_007_199_254_740_992, let whole = Int64(exactly: number)
    else { return nil }
    self = whole
  }
}
