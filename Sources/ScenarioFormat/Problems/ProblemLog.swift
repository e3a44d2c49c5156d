/// Collects what is wrong with one file, and gives every problem its place when all are known.
struct ProblemLog {
  /// How many problems are kept; a file with more is not a scenario with mistakes but something else.
  static let most = 1_000

  private struct Entry {
    var origin: JSONOrigin
    var path: String
    var message: String
    var suggestion: String?
  }

  private var entries: [Entry] = []
  private var dropped = 0

  /// Whether further problems are only counted.
  var isFull: Bool { entries.count >= Self.most }

  /// Whether nothing was reported.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds a problem.
  mutating func report(
    _ message: String,
    at origin: JSONOrigin,
    path: String = "",
    suggestion: String? = nil
  ) {
    guard entries.count < Self.most else {
      dropped += 1
      return
    }
    entries.append(Entry(origin: origin, path: path, message: message, suggestion: suggestion))
  }

  /// Adds a problem of a value.
  mutating func report(_ message: String, at value: LocatedValue, suggestion: String? = nil) {
    report(message, at: value.json.origin, path: value.path, suggestion: suggestion)
  }

  /// Returns the problems: those of the file as a whole, those of its text in order, those of overrides.
  ///
  /// - Complexity: O(n + k log k) in the number of bytes and of problems.
  func problems(file: String, bytes: [UInt8], overrides: [Override]) -> [Problem] {
    // Ties keep the order in which they were found: Swift's sort promises no stability, the index makes it
    // so.
    let order = entries.indices.sorted { (rank(of: entries[$0]), $0) < (rank(of: entries[$1]), $1) }
    let offsets = order.compactMap { index in
      if case .file(let offset) = entries[index].origin { offset } else { nil }
    }
    var places = SourceMap.places(of: offsets, in: bytes).makeIterator()
    var problems = order.map { index in
      let entry = entries[index]
      var place: SourceMap.Place?
      var option: String?
      switch entry.origin {
      case .none: break
      case .file: place = places.next()
      case .option(let index): option = Shown.line(overrides[index].text, atMost: 80)
      }
      return Problem(
        file: file,
        line: place?.line,
        column: place?.column,
        option: option,
        path: entry.path,
        message: entry.message,
        suggestion: entry.suggestion
      )
    }
    if dropped > 0 {
      problems.append(
        Problem(
          file: file,
          line: nil,
          column: nil,
          option: nil,
          path: "",
          message: "and \(dropped) more problems",
          suggestion: nil
        )
      )
    }
    return problems
  }

  private func rank(of entry: Entry) -> Int {
    switch entry.origin {
    case .none: -1
    case .file(let offset): offset
    case .option: .max
    }
  }
}
