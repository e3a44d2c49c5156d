import Foundation

/// A directory of files, one for each record.
///
/// A record is written to a file aside, flushed to the disk (`fsync`) and renamed over the old one, and then
/// the directory is flushed, so that a stop at any step leaves the old record or the new one. The work is
/// done on a queue of its own, one operation after the other: it blocks no thread of the caller's pool.
///
/// The directory is made when something is first written; its records belong to one storage of one process.
/// Not provided: locking against other processes, and the stronger flush of Apple disks (`F_FULLFSYNC`),
/// without which a power cut may lose the newest record but tears none.
public struct LiveStorage: Storage {
  private let directory: URL
  private let queue = DispatchQueue(label: "stampede.storage", qos: .utility)

  /// Creates the storage of a directory; touches no disk.
  ///
  /// - Parameter directory: The path of the directory, best one that backups leave out.
  public init(directory: String) {
    self.directory = URL(fileURLWithPath: directory, isDirectory: true)
  }

  /// Returns the bytes of a record.
  ///
  /// - Parameter name: Which record.
  /// - Returns: Its bytes, or nil if there is no such record.
  /// - Throws: `StorageError` if it is there and cannot be read.
  public func read(_ name: RecordName) async throws -> [UInt8]? {
    let file = file(of: name)
    return try await onQueue {
      do {
        return [UInt8](try Data(contentsOf: file))
      } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
        return nil
      } catch {
        throw StorageError(
          .readFailed,
          "record \(name): \(Self.cause(of: error)); check the rights of its file"
        )
      }
    }
  }

  /// Replaces a record as a whole, or makes it, and returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - name: Which record.
  ///   - bytes: Its new bytes.
  /// - Throws: `StorageError` if the new record is not sure to be kept: the old one stands then, or, if only
  ///   the last flush failed, the new one.
  public func replace(_ name: RecordName, with bytes: [UInt8]) async throws {
    let file = file(of: name)
    let directory = directory
    try await onQueue {
      do {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // Foundation's atomic write is the whole sequence: a file aside of its own name, fsync, rename.
        try Data(bytes).write(to: file, options: .atomic)
        // Makes the rename itself survive a stop of the device.
        let handle = try FileHandle(forReadingFrom: directory)
        defer { try? handle.close() }
        try handle.synchronize()
      } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
        throw StorageError(.full, "record \(name): no space left on its disk")
      } catch {
        throw StorageError(
          .writeFailed,
          "record \(name): \(Self.cause(of: error)); check the rights of its directory"
        )
      }
    }
  }

  /// Removes a record; one that is not there is removed already.
  ///
  /// - Parameter name: Which record.
  /// - Throws: `StorageError` if the record is still there.
  public func remove(_ name: RecordName) async throws {
    let file = file(of: name)
    try await onQueue {
      do {
        try FileManager.default.removeItem(at: file)
      } catch let error as CocoaError where error.code == .fileNoSuchFile {
        return
      } catch {
        throw StorageError(
          .removeFailed,
          "record \(name): \(Self.cause(of: error)); check the rights of its directory"
        )
      }
    }
  }

  private func file(of name: RecordName) -> URL {
    directory.appendingPathComponent(name.text, isDirectory: false)
  }

  private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// The kind and number of an error without its user info, which holds absolute paths.
  private static func cause(of error: any Error) -> String {
    let error = error as NSError
    guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
      return "\(error.domain) \(error.code)"
    }
    return "\(error.domain) \(error.code), \(cause.domain) \(cause.code)"
  }
}
