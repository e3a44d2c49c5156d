import Synchronization

/// A storage in memory whose failures and slowness a test decides.
///
/// Each operation first goes through the intercept, which may suspend (a slow disk) or throw (a full or
/// broken one); only then does it take effect, in one step. What is thrown leaves the records as they were.
/// What a kill or a foreign process leaves behind is put there with `put(_:for:)`.
public final class ControllableStorage: Storage {
  /// One operation, as the intercept sees it.
  public enum Operation: Hashable, Sendable {
    /// A record is about to be read.
    case read(RecordName)
    /// A record is about to be replaced by one of so many bytes.
    case replace(RecordName, byteCount: Int)
    /// A record is about to be removed.
    case remove(RecordName)
  }

  /// What an operation goes through before it takes effect.
  public typealias Intercept = @Sendable (Operation) async throws -> Void

  private struct State {
    var records: [RecordName: [UInt8]] = [:]
    var intercept: Intercept?
  }

  private let state = Mutex(State())

  /// Creates an empty storage.
  ///
  /// - Parameter intercept: What each operation goes through first; nil lets all of them pass at once.
  public init(intercept: Intercept? = nil) {
    state.withLock { $0.intercept = intercept }
  }

  /// Sets what operations that begin from now on go through first.
  ///
  /// - Parameter intercept: May suspend or throw `StorageError`; nil lets all operations pass at once.
  public func setIntercept(_ intercept: Intercept?) {
    state.withLock { $0.intercept = intercept }
  }

  /// The names of the records that are there, in the order of their text.
  ///
  /// - Complexity: O(*n* log *n*) in their number.
  public var names: [RecordName] {
    state.withLock { $0.records.keys.sorted { $0.text < $1.text } }
  }

  /// Returns the bytes of a record past the intercept.
  ///
  /// - Parameter name: Which record.
  /// - Returns: Its bytes, nil if there is no such record.
  public func bytes(of name: RecordName) -> [UInt8]? { state.withLock { $0.records[name] } }

  /// Puts a record there past the intercept, such as a torn one.
  ///
  /// - Parameters:
  ///   - bytes: Its bytes; nil takes the record away.
  ///   - name: Which record.
  public func put(_ bytes: [UInt8]?, for name: RecordName) { state.withLock { $0.records[name] = bytes } }

  /// Returns the bytes of a record.
  ///
  /// - Parameter name: Which record.
  /// - Returns: Its bytes, or nil if there is no such record.
  /// - Throws: What the intercept throws.
  public func read(_ name: RecordName) async throws -> [UInt8]? {
    try await pass(.read(name))
    return bytes(of: name)
  }

  /// Replaces a record as a whole, or makes it.
  ///
  /// - Parameters:
  ///   - name: Which record.
  ///   - bytes: Its new bytes.
  /// - Throws: What the intercept throws.
  public func replace(_ name: RecordName, with bytes: [UInt8]) async throws {
    try await pass(.replace(name, byteCount: bytes.count))
    put(bytes, for: name)
  }

  /// Removes a record; one that is not there is removed already.
  ///
  /// - Parameter name: Which record.
  /// - Throws: What the intercept throws.
  public func remove(_ name: RecordName) async throws {
    try await pass(.remove(name))
    put(nil, for: name)
  }

  private func pass(_ operation: Operation) async throws {
    let intercept = state.withLock { $0.intercept }
    try await intercept?(operation)
  }
}
