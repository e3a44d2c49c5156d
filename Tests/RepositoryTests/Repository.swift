import Foundation

/// The files of this repository, as they lie on the disk of whoever runs the tests.
enum Repository {
  /// One file that people write.
  struct File: Sendable, CustomStringConvertible {
    /// Where it lies, from the root, with slashes.
    let path: String
    let text: String

    var name: String { String(path.split(separator: "/").last ?? "") }
    var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
    var description: String { path }

    /// The folder below `Sources`, which is the target's name.
    var target: String? {
      let parts = path.split(separator: "/")
      return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    func isBelow(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Everything that people write here, sorted by path; not what is built, fetched or reported.
  static let files: [File] = {
    let folders = [".ci", "Benchmarks", "Scenarios", "Sources", "Tests"]
    let tops = [".gitignore", ".swift-format", "Makefile", "Package.swift", "README.md", "simulate"]
    return (folders.flatMap(paths(below:)) + tops).sorted().compactMap { path in
      text(of: path).map { File(path: path, text: $0) }
    }
  }()

  /// The Swift sources, sorted by path.
  static let swiftFiles = files.filter { $0.path.hasSuffix(".swift") }

  /// The names of the folders directly below one, sorted.
  static func folders(in path: String) -> [String] {
    children(of: path).filter { isFolder("\(path)/\($0)") }
  }

  /// The text of a file; nil if there is none, or if it is no text.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Whether a file may be started as a program.
  static func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: root.appendingPathComponent(path).path)
  }

  private static func paths(below folder: String) -> [String] {
    children(of: folder).filter { $0 != ".build" && $0 != "__pycache__" }.flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      // A link shows a file that is listed where it really lies.
      if isLink(path) { return [] }
      return isFolder(path) ? paths(below: path) : [path]
    }
  }

  private static func children(of path: String) -> [String] {
    let folder = root.appendingPathComponent(path).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    let values = try? root.appendingPathComponent(path).resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }

  private static func isLink(_ path: String) -> Bool {
    let place = root.appendingPathComponent(path).path
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil
  }
}
