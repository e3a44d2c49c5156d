import Foundation
import Reporting

/// What writing reports needs of a file system.
package struct ReportFiles: Sendable {
  /// Makes a folder and those above it.
  package var makeFolder: @Sendable (_ path: String) throws(AtomicFileError) -> Void
  /// Writes a file whole or not at all.
  package var write: @Sendable (_ text: String, _ path: String) throws(AtomicFileError) -> Void
  /// Adds to the end of a file, or makes it.
  package var append: @Sendable (_ text: String, _ path: String) throws(AtomicFileError) -> Void
  /// Removes a file; one that is not there is no error.
  package var remove: @Sendable (_ path: String) throws(AtomicFileError) -> Void

  package init(
    makeFolder: @escaping @Sendable (_ path: String) throws(AtomicFileError) -> Void,
    write: @escaping @Sendable (_ text: String, _ path: String) throws(AtomicFileError) -> Void,
    append: @escaping @Sendable (_ text: String, _ path: String) throws(AtomicFileError) -> Void,
    remove: @escaping @Sendable (_ path: String) throws(AtomicFileError) -> Void
  ) {
    self.makeFolder = makeFolder
    self.write = write
    self.append = append
    self.remove = remove
  }

  /// The file system of this process.
  package static let system = ReportFiles(
    makeFolder: { path throws(AtomicFileError) in try AtomicFile.makeDirectory(path) },
    write: { text, path throws(AtomicFileError) in try AtomicFile.write(text, to: path) },
    append: { text, path throws(AtomicFileError) in
      let manager = FileManager.default
      let old = manager.contents(atPath: path)
      if old == nil, manager.fileExists(atPath: path) {
        throw AtomicFileError(
          path: path, action: "add to", code: 0, reason: "it cannot be read",
          remedy: "see that it is a file that may be read and written")
      }
      try AtomicFile.write(Array(old ?? Data()) + Array(text.utf8), to: path)
    },
    remove: { path throws(AtomicFileError) in
      guard unlink(path) != 0, errno != ENOENT else { return }
      throw AtomicFileError(
        path: path,
        action: "remove",
        code: errno,
        reason: String(cString: strerror(errno)),
        remedy: "it is of an earlier run: remove it by hand"
      )
    }
  )
}
