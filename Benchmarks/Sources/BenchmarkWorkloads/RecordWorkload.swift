import ClientCore
import Palbase
import PalbaseFlags

/// What is killed in the test of the record: launches of an app on one directory, the first offline, the second online.
///
/// Every value carries the version that it is of, so a record in which two versions are mixed is seen as such.
public struct RecordWorkload: Sendable {
  /// What a launch without a network found.
  public enum Finding: Sendable, Equatable {
    /// No record.
    case nothing
    /// A whole record of a version.
    case version(Int64)
    /// Something else, and what.
    case garbage(String)
  }

  private let storage: any Storage
  private let keys: [String]
  private let textLength: Int

  /// Creates a workload.
  ///
  /// - Parameters:
  ///   - storage: Where the record is kept.
  ///   - flags: How many flags it has.
  ///   - textLength: The length of each flag's text, in bytes.
  public init(storage: any Storage, flags: Int, textLength: Int) {
    self.storage = storage
    keys = (0..<flags).map { "flag_\($0)" }
    self.textLength = textLength
  }

  /// The text of every flag in a version.
  private static func text(_ version: Int64, _ length: Int) -> String {
    let part = "\(version) "
    return String(String(repeating: part, count: length / part.utf8.count + 1).prefix(length))
  }

  /// Launches the app without a network and looks at what it reads.
  ///
  /// - Returns: What was found.
  public func check() async -> Finding {
    let client = PalbaseClient(
      BenchmarkProject.configuration, signedInAs: BenchmarkProject.user,
      environment: BenchmarkProject.environment(Offline(), storage: storage))
    await client.flags.start()
    let (values, status) = (client.flags.all, client.flags.status)
    await client.close()
    if status.discardedRecords > 0 { return .garbage("a record was discarded") }
    if values.isEmpty { return status.version == nil ? .nothing : .garbage("a version without values") }
    guard let version = status.version else { return .garbage("values without a version") }
    let text = FlagValue.string(Self.text(version, textLength))
    if values.count != keys.count { return .garbage("\(values.count) of \(keys.count) flags") }
    if let key = keys.first(where: { values[$0] != text }) {
      return .garbage("\(key) is not of version \(version)")
    }
    return .version(version)
  }

  /// Launches the app with a network on which version follows version, and so keeps it writing.
  ///
  /// - Parameters:
  ///   - version: The version to begin after.
  ///   - limit: How many versions to fetch.
  ///   - note: Told of every write of a version, before it begins and when it is confirmed.
  /// - Throws: `PalbaseError` if a fetch fails.
  public func write(
    after version: Int64, limit: Int, _ note: @escaping @Sendable (_ isDone: Bool, _ version: Int64) -> Void
  ) async throws {
    let (keys, textLength) = (keys, textLength)
    let feed = FlagsFeed(version: version) { version in
      let text = #""\#(Self.text(version, textLength))""#
      return keys.map { ($0, text) }
    }
    let noting = NotingStorage(storage: storage, note: note)
    let client = PalbaseClient(
      BenchmarkProject.configuration, signedInAs: BenchmarkProject.user,
      environment: BenchmarkProject.environment(feed, storage: noting))
    for _ in 0..<limit {
      feed.publish()
      try await client.flags.refresh()
    }
    while client.flags.status.isWriting { await Task.yield() }
    await client.close()
  }

  private struct Offline: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
      throw TransportError(.connectionFailed, "there is no network in this launch")
    }
  }

  /// A storage that tells of what it is given to write.
  private struct NotingStorage: Storage {
    let storage: any Storage
    let note: @Sendable (_ isDone: Bool, _ version: Int64) -> Void

    func read(_ name: RecordName) async throws -> [UInt8]? { try await storage.read(name) }

    func remove(_ name: RecordName) async throws { try await storage.remove(name) }

    func replace(_ name: RecordName, with bytes: [UInt8]) async throws {
      // The version is a member of the record, found without the client's own reading of it.
      let record = String(decoding: bytes, as: UTF8.self)
      let digits = record.firstRange(of: #""version":"#).map {
        record[$0.upperBound...].prefix { $0.isNumber }
      }
      guard let version = digits.flatMap({ Int64($0) }) else {
        throw StorageError(.writeFailed, "record \(name): a record of flags has a version")
      }
      note(false, version)
      try await storage.replace(name, with: bytes)
      note(true, version)
    }
  }
}
