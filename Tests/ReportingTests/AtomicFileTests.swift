import Foundation
import Reporting
import Synchronization
import Testing

@Suite final class AtomicFileTests {
  private let directory: String

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "stampede-\(UUID().uuidString)").path
    try AtomicFile.makeDirectory(directory)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func content(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Everything in the directory, leftovers of a write included.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  private func error(_ body: () throws -> Void) throws -> AtomicFileError {
    try #require(throws: AtomicFileError.self, performing: body)
  }

  @Test func `a file is made and replaced, and nothing is left beside it`() throws {
    let path = "\(directory)/result.json"
    try AtomicFile.write("first", to: path)
    try AtomicFile.write("the second, which is longer", to: path)
    try AtomicFile.write("third", to: path)
    #expect(try content(of: path) == "third")
    #expect(try names() == ["result.json"])
  }

  @Test func `an empty file and one of many megabytes are written whole`() throws {
    try AtomicFile.write("", to: "\(directory)/empty")
    #expect(try content(of: "\(directory)/empty") == "")
    let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0) }
    try AtomicFile.write(bytes, to: "\(directory)/large")
    #expect(FileManager.default.contents(atPath: "\(directory)/large") == Data(bytes))
  }

  @Test func `a name as long as names may be is no obstacle`() throws {
    let path = "\(directory)/\(String(repeating: "n", count: 255))"
    try AtomicFile.write("text", to: path)
    #expect(try content(of: path) == "text")
  }

  @Test func `directories are made with those above them, and made again without harm`() throws {
    let path = "\(directory)/a/b/c"
    try AtomicFile.makeDirectory(path)
    try AtomicFile.makeDirectory(path + "/")
    try AtomicFile.write("text", to: "\(path)/file")
    #expect(try content(of: "\(path)/file") == "text")
  }

  @Test func `a missing folder, a folder in the file's place and a file in a folder's place are told apart`()
    throws
  {
    let missing = try error { try AtomicFile.write("text", to: "\(directory)/no/file") }
    #expect(
      missing.description.contains("\(directory)/no/file: No such file or directory; make the folder first")
    )
    try AtomicFile.makeDirectory("\(directory)/folder")
    let folder = try error { try AtomicFile.write("text", to: "\(directory)/folder") }
    #expect(folder.reason == "it is a directory")
    try AtomicFile.write("text", to: "\(directory)/file")
    let file = try error { try AtomicFile.write("text", to: "\(directory)/file/inner") }
    #expect(file.reason == "Not a directory")
    let made = try error { try AtomicFile.makeDirectory("\(directory)/file/inner") }
    #expect(made.action == "make the directory")
    #expect(try names() == ["file", "folder"])
  }

  @Test func `through a link its file is replaced and the link stays`() throws {
    try AtomicFile.makeDirectory("\(directory)/real")
    try AtomicFile.write("old", to: "\(directory)/real/file")
    try FileManager.default.createSymbolicLink(atPath: "\(directory)/link", withDestinationPath: "real/file")
    try AtomicFile.write("new", to: "\(directory)/link")
    #expect(try content(of: "\(directory)/real/file") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/link") == "real/file")
    #expect(try names() == ["link", "real"])
  }

  @Test func `a device is written to and not replaced`() throws {
    try AtomicFile.write("text", to: "/dev/null")
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
    #expect(type == .typeCharacterSpecial)
  }

  #if os(Linux)
    @Test func `a device that is full says so`() throws {
      let full = try error { try AtomicFile.write("text", to: "/dev/full") }
      #expect(
        full.description
          == "cannot write /dev/full: No space left on device; free some space, or choose another place with --reports"
      )
    }
  #endif

  /// Calls like the system's that fail at one point, and what was still called afterwards.
  @Test(arguments: [
    ("create", EACCES, "Permission denied; make the folder writable"),
    ("create", EROFS, "Read-only file system; the file system is read-only"),
    ("write", ENOSPC, "No space left on device; free some space"),
    ("synchronize", EIO, "choose another place"), ("close", EDQUOT, "free some space"),
    ("rename", EACCES, "make the folder writable"),
  ])
  func `whatever fails, the old file stays, nothing is left beside it, and the error tells what to do`(
    failing: String,
    code: Int32,
    words: String
  ) throws {
    let path = "\(directory)/result.json"
    try AtomicFile.write("old", to: path)
    var calls = FileCalls.system
    let isClosed = Mutex(false)
    switch failing {
    case "create": calls.create = { _ in -code }
    case "write":
      // Half of it fits.
      let isFirst = Mutex(true)
      calls.write = { file, bytes in
        let first = isFirst.withLock { value in
          defer { value = false }
          return value
        }
        return first ? FileCalls.system.write(file, bytes.prefix(bytes.count / 2)) : -Int(code)
      }
    case "synchronize": calls.synchronize = { _ in code }
    case "close":
      calls.close = { file in
        _ = FileCalls.system.close(file)
        return code
      }
    default: calls.rename = { _, _ in code }
    }
    let close = calls.close
    calls.close = { file in
      isClosed.withLock { $0 = true }
      return close(file)
    }
    let found = try error { try AtomicFile.write(Array("new content".utf8), to: path, calls: calls) }
    #expect(found.code == code)
    #expect(found.path == path)
    #expect(found.description.hasPrefix("cannot write \(path): "))
    #expect(found.description.contains(words))
    #expect(try content(of: path) == "old")
    #expect(try names() == ["result.json"])
    #expect(isClosed.withLock { $0 } == (failing != "create"))
  }

  @Test func `bytes that are taken little by little are all written`() throws {
    var calls = FileCalls.system
    calls.write = { FileCalls.system.write($0, $1.prefix(3)) }
    try AtomicFile.write(Array("more than three bytes".utf8), to: "\(directory)/file", calls: calls)
    #expect(try content(of: "\(directory)/file") == "more than three bytes")
  }

  @Test func `a call that takes nothing and says nothing does not go on for ever`() throws {
    var calls = FileCalls.system
    calls.write = { _, _ in 0 }
    _ = try error { try AtomicFile.write([1], to: "\(directory)/file", calls: calls) }
    #expect(try names() == [])
  }

  @Test func `what a killed run left beside is no obstacle`() throws {
    let leftover = "\(directory)/.simulate-\(getpid())-0.tmp"
    try AtomicFile.write("left", to: leftover)
    try AtomicFile.write("text", to: "\(directory)/file")
    #expect(try content(of: "\(directory)/file") == "text")
    #expect(try content(of: leftover) == "left")
  }

  @Test func `many threads writing one file leave one of their files, whole`() async throws {
    let path = "\(directory)/file"
    try await withThrowingTaskGroup { group in
      for number in 0..<16 {
        group.addTask { try AtomicFile.write(String(repeating: "\(number % 10)", count: 100_000), to: path) }
      }
      try await group.waitForAll()
    }
    let text = try content(of: path)
    #expect(text.count == 100_000)
    #expect(Set(text).count == 1)
    #expect(try names() == ["file"])
  }
}
