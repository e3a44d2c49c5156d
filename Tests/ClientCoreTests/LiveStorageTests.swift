import ClientCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LiveStorageTests {
  /// Runs a test in a directory of its own that is not there yet.
  private func inDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "storage-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory.path)
  }

  @Test func `a record is there for the next launch`() async throws {
    try await inDirectory { directory in
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      #expect(try await LiveStorage(directory: directory).read("flags.json") == nil)
      try await LiveStorage(directory: directory).replace("flags.json", with: [1])
      try await LiveStorage(directory: directory).replace("flags.json", with: bytes)
      try await LiveStorage(directory: directory).replace("empty", with: [])
      #expect(try await LiveStorage(directory: directory).read("flags.json") == bytes)
      #expect(try await LiveStorage(directory: directory).read("empty") == [])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["empty", "flags.json"]
      )
    }
  }

  @Test func `a removed record is gone and may be removed again`() async throws {
    try await inDirectory { directory in
      let storage = LiveStorage(directory: directory)
      try await storage.remove("a")
      try await storage.replace("a", with: [1])
      try await storage.remove("a")
      try await storage.remove("a")
      #expect(try await storage.read("a") == nil)
    }
  }

  @Test func `readers during replaces see whole records only`() async throws {
    try await inDirectory { directory in
      let storage = LiveStorage(directory: directory)
      let other = LiveStorage(directory: directory)
      try await storage.replace("a", with: Array(repeating: 0, count: 50_000))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for byte in 1...40 {
            try await storage.replace("a", with: Array(repeating: UInt8(byte), count: 50_000))
          }
        }
        group.addTask {
          var newest: UInt8 = 0
          while newest < 40 {
            let bytes = try #require(try await other.read("a"))
            #expect(bytes.count == 50_000)
            #expect(Set(bytes).count == 1)
            let byte = try #require(bytes.first)
            #expect(byte >= newest)
            newest = byte
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `operations of one caller take effect in order`() async throws {
    try await inDirectory { directory in
      let storage = LiveStorage(directory: directory)
      for number in 0..<50 {
        try await storage.replace("a", with: [UInt8(number)])
        #expect(try await storage.read("a") == [UInt8(number)])
      }
    }
  }

  @Test func `what stands in the way is an error that names the record and no path`() async throws {
    try await inDirectory { directory in
      try FileManager.default.createDirectory(
        atPath: directory + "/a",
        withIntermediateDirectories: true
      )
      try Data().write(to: URL(fileURLWithPath: directory + "/a/child"))
      let storage = LiveStorage(directory: directory)
      let reading = await #expect(throws: StorageError.self) { try await storage.read("a") }
      let writing = await #expect(throws: StorageError.self) { try await storage.replace("a", with: [1]) }
      #expect(reading?.code == .readFailed)
      #expect(writing?.code == .writeFailed)
      for error in [reading, writing] {
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("record a"))
        #expect(!text.contains(directory))
      }
    }
  }

  @Test func `a directory that cannot be made is an error`() async throws {
    try await inDirectory { directory in
      try Data().write(to: URL(fileURLWithPath: directory))
      let storage = LiveStorage(directory: directory)
      let error = await #expect(throws: StorageError.self) { try await storage.replace("a", with: [1]) }
      #expect(error?.code == .writeFailed)
    }
  }
}
