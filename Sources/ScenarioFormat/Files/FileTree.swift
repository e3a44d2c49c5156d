import Foundation

/// What finding and reading scenario files needs of a file system.
///
/// Paths are relative to the working directory or absolute, with `/` between their parts.
public struct FileTree: Sendable {
  /// What is at a path.
  public enum Kind: Sendable, Equatable {
    /// Something that can be read: a file, but also a pipe.
    case file
    /// A folder.
    case folder
  }

  /// Why a file cannot be read.
  public struct ReadFailure: Error, Sendable, Equatable {
    /// The reason, for people.
    public let reason: String

    /// Creates a failure.
    ///
    /// - Parameter reason: The reason, for people.
    public init(reason: String) { self.reason = reason }
  }

  /// Returns what is at a path; nil if nothing is.
  public var kind: @Sendable (_ path: String) -> Kind?
  /// Returns the names in a folder in any order; none if it cannot be listed.
  public var names: @Sendable (_ folder: String) -> [String]
  /// Returns the bytes of a file, at most so many of them.
  public var read: @Sendable (_ path: String, _ limit: Int) -> Result<[UInt8], ReadFailure>

  /// Creates a file system of three functions.
  ///
  /// - Parameters:
  ///   - kind: Returns what is at a path; nil if nothing is.
  ///   - names: Returns the names in a folder in any order; none if it cannot be listed.
  ///   - read: Returns the bytes of a file, at most so many of them.
  public init(
    kind: @escaping @Sendable (_ path: String) -> Kind?,
    names: @escaping @Sendable (_ folder: String) -> [String],
    read: @escaping @Sendable (_ path: String, _ limit: Int) -> Result<[UInt8], ReadFailure>
  ) {
    self.kind = kind
    self.names = names
    self.read = read
  }

  /// The file system of this process.
  public static let current = FileTree(
    kind: { path in
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      // Only a folder, or a link to one, has itself in it.
      return FileManager.default.fileExists(atPath: path + "/.") ? .folder : .file
    },
    names: { folder in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] },
    read: { path, limit in
      do {
        // Read up to the limit only: a path may name a disk or an endless pipe.
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var bytes: [UInt8] = []
        while bytes.count < limit, let part = try handle.read(upToCount: limit - bytes.count), !part.isEmpty {
          bytes += part
        }
        return .success(bytes)
      } catch {
        return .failure(ReadFailure(reason: reason(of: error)))
      }
    }
  )

  /// Returns the system's own words for an error, which Foundation wraps into a sentence.
  private static func reason(of error: any Error) -> String {
    let outer = error as NSError
    let inner = outer.userInfo[NSUnderlyingErrorKey] as? NSError
    return (inner ?? outer).localizedFailureReason ?? outer.localizedDescription
  }
}
