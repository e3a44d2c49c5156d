/// The name of a record in a storage: fit to be a file name on every platform.
///
/// 1 to 100 ASCII letters, digits, `.`, `_` and `-`, not beginning with a dot, so that no name can reach
/// outside the storage's directory or hide in it.
public struct RecordName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name as text.
  public let text: String

  /// Creates a name from text that may be wrong; nil if it breaks the rules of the type.
  ///
  /// - Parameter text: The name as text.
  public init?(_ text: String) {
    let isFit = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    guard isFit, (1...100).contains(text.utf8.count), text.utf8.first != 0x2E else { return nil }
    self.text = text
  }

  /// Creates a name from a literal, which must keep the rules of the type.
  ///
  /// - Parameter value: The name as text; the process ends if it is not fit.
  public init(stringLiteral value: String) {
    guard let name = RecordName(value) else {
      fatalError("\"\(value)\" is no record name: 1 to 100 of [A-Za-z0-9._-], not beginning with a dot")
    }
    self = name
  }

  /// The name as text.
  public var description: String { text }
}

/// Why a storage could not do what it was asked.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure, fit for a metric label; open, because storages may meet others.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, in lower camel case.
    public let name: String

    /// Creates a kind of failure of your own.
    ///
    /// - Parameter name: Its name, in lower camel case.
    public init(_ name: String) { self.name = name }

    /// The record is there and could not be read.
    public static let readFailed = Code("readFailed")
    /// The record could not be written, or is not sure to outlast a power cut; the old or the new one stands.
    public static let writeFailed = Code("writeFailed")
    /// The record could not be removed.
    public static let removeFailed = Code("removeFailed")
    /// There is no room for the record; the old one stands.
    public static let full = Code("full")
    /// A double that must not be asked was asked.
    public static let unimplemented = Code("unimplemented")

    /// The name of the kind.
    public var description: String { name }
  }

  /// The kind of the failure.
  public var code: Code
  /// What happened and what to do about it; holds no content of a record.
  public var message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the failure.
  ///   - message: What happened and what to do about it, without content of a record.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Code and message.
  public var description: String { "\(code): \(message)" }
}

/// Keeps records between launches, each read and replaced as a whole (BEHAVIOUR rule 1.5).
///
/// Whoever reads sees a record that was written whole, also after the process or the device has stopped at
/// any step of a write. Operations of one caller that follow each other take effect in that order. An
/// operation that has begun is not cut short by the cancellation of its task.
public protocol Storage: Sendable {
  /// Returns the bytes of a record.
  ///
  /// - Parameter name: Which record.
  /// - Returns: Its bytes, or nil if there is no such record.
  /// - Throws: `StorageError` if it is there and cannot be read.
  func read(_ name: RecordName) async throws -> [UInt8]?

  /// Replaces a record as a whole, or makes it.
  ///
  /// - Parameters:
  ///   - name: Which record.
  ///   - bytes: Its new bytes.
  /// - Throws: `StorageError` if the new record is not sure to be kept; the old or the new one stands, whole.
  func replace(_ name: RecordName, with bytes: [UInt8]) async throws

  /// Removes a record; one that is not there is removed already.
  ///
  /// - Parameter name: Which record.
  /// - Throws: `StorageError` if the record is still there.
  func remove(_ name: RecordName) async throws
}

/// A storage that must not be asked.
public struct UnimplementedStorage: Storage {
  private let onUse: @Sendable (UnimplementedUse) -> Void

  /// Creates a storage that reports each operation.
  ///
  /// - Parameter onUse: Called once for each operation; by default the process ends with a message.
  public init(onUse: @escaping @Sendable (UnimplementedUse) -> Void = UnimplementedUse.trap) {
    self.onUse = onUse
  }

  /// Reports the reading and fails it.
  ///
  /// - Parameter name: Which record.
  /// - Returns: Never.
  /// - Throws: `StorageError` with the code `unimplemented`.
  public func read(_ name: RecordName) async throws -> [UInt8]? { throw reported("read(\(name))") }

  /// Reports the replacement and fails it.
  ///
  /// - Parameters:
  ///   - name: Which record.
  ///   - bytes: What is not kept.
  /// - Throws: `StorageError` with the code `unimplemented`.
  public func replace(_ name: RecordName, with bytes: [UInt8]) async throws {
    throw reported("replace(\(name))")
  }

  /// Reports the removal and fails it.
  ///
  /// - Parameter name: Which record.
  /// - Throws: `StorageError` with the code `unimplemented`.
  public func remove(_ name: RecordName) async throws { throw reported("remove(\(name))") }

  private func reported(_ operation: String) -> StorageError {
    let use = UnimplementedUse(effect: "Storage", operation: operation)
    onUse(use)
    return StorageError(.unimplemented, use.description)
  }
}
