import Testing

@Suite struct FileTests {
  /// The longest a file may be: one idea fits in it.
  private static let longest = 400
  /// Files that are longer, with the length they may not exceed: entries go down and away, never up.
  private static let ratchet: [String: Int] = [:]

  @Test func `no source file is longer than one idea`() {
    for file in Repository.files where [".swift", ".c", ".h", ".py"].contains(where: file.path.hasSuffix) {
      let limit = Self.ratchet[file.path] ?? Self.longest
      #expect(
        file.lineCount <= limit, "\(file.path) has \(file.lineCount) lines, at most \(limit) are allowed")
    }
  }

  @Test func `the ratchet only names files that need it`() {
    for (path, limit) in Self.ratchet.sorted(by: { $0.key < $1.key }) {
      let length = Repository.files.first { $0.path == path }?.lineCount ?? 0
      #expect(length > Self.longest, "\(path) no longer needs its entry in the ratchet")
      #expect(length == limit, "\(path) got shorter: lower its entry to \(length)")
    }
  }

  @Test func `no file is a drawer`() {
    let drawers: Set = ["utilities", "utils", "util", "helpers", "helper", "misc", "common", "extensions"]
    for file in Repository.files {
      for part in file.path.lowercased().split(separator: "/") {
        let stem = part.split(separator: ".").first.map(String.init) ?? ""
        #expect(!drawers.contains(stem), "\(file.path): name it by its idea")
      }
    }
  }

  @Test func `nothing is left for later`() {
    // Written in halves, so that this file is not found.
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    for file in Repository.files {
      for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let words = line.split { !($0.isLetter || $0 == "_") }
        for mark in marks where words.contains(Substring(mark)) {
          Issue.record("\(file.path):\(number + 1): \(mark): do it, or file an issue")
        }
      }
    }
  }

  @Test func `no file knows the machine it was written on`() {
    let places = ["work", "home", "root", "Users"].map { "/" + $0 + "/" }
    for file in Repository.files {
      for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        for place in places {
          for range in line.ranges(of: place) where Self.beginsPath(range.lowerBound, in: line) {
            Issue.record("\(file.path):\(number + 1): an absolute path below \(place)")
          }
        }
      }
    }
  }

  /// Whether a slash begins a path, and is not in the middle of a relative one or of a URL.
  private static func beginsPath(_ index: Substring.Index, in line: Substring) -> Bool {
    guard index > line.startIndex else { return true }
    let before = line[line.index(before: index)]
    return !(before.isLetter || before.isNumber || [".", "}", ")", "_", "-", "$", "~"].contains(before))
  }

  @Test func `text files end with one line feed and use no tabs or carriage returns`() {
    for file in Repository.files where !file.text.isEmpty {
      #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path): the end of the file")
      #expect(!file.text.unicodeScalars.contains("\r"), "\(file.path): carriage return")
      if file.path.hasSuffix(".swift") || file.path.hasSuffix(".json") {
        #expect(!file.text.unicodeScalars.contains("\t"), "\(file.path): tab")
      }
    }
  }
}
