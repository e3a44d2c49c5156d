/// The left side of `--set`: `readers.launch.iterations`, `timeline[0].at`, `thresholds["a.b"]`.
struct SettingPath {
  /// One step down.
  enum Component: Equatable {
    case key(String)
    case index(Int)
  }

  /// The steps, at least one.
  var components: [Component]

  /// Splits an assignment at its first `=` outside of quotes.
  ///
  /// - Parameter assignment: What stands after `--set`.
  /// - Returns: The texts of both sides; nil if there is no `=` or nothing before it.
  static func split(_ assignment: String) -> (path: String, value: String)? {
    var isQuoted = false
    var isEscaped = false
    for index in assignment.indices {
      let character = assignment[index]
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = isQuoted
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == "=", !isQuoted {
        let path = assignment[..<index]
        return path.isEmpty ? nil : (String(path), String(assignment[assignment.index(after: index)...]))
      }
    }
    return nil
  }

  /// Creates a path from its text; nil if the text is no path.
  init?(_ text: String) {
    components = []
    var rest = text[...]
    var expectsKey = true
    while let character = rest.first {
      if character == "[" {
        guard let component = Self.takeBrackets(&rest) else { return nil }
        components.append(component)
        expectsKey = false
      } else if character == "." {
        guard !expectsKey else { return nil }
        rest.removeFirst()
        expectsKey = true
      } else {
        guard expectsKey else { return nil }
        let key = rest.prefix { $0 != "." && $0 != "[" }
        components.append(.key(String(key)))
        rest = rest.dropFirst(key.count)
        expectsKey = false
      }
    }
    guard !expectsKey else { return nil }
  }

  /// Takes `[12]` or `["a key"]` from the front.
  private static func takeBrackets(_ rest: inout Substring) -> Component? {
    let inner = rest.dropFirst()
    if inner.first == "\"" {
      guard let closing = closingQuote(in: inner), inner[inner.index(after: closing)...].first == "]" else {
        return nil
      }
      let literal = Array(inner[...closing].utf8)
      guard case .success(let value) = JSONParser.parse(literal).result, case .string(let key) = value.content
      else {
        return nil
      }
      rest = inner[inner.index(after: closing)...].dropFirst()
      return .key(key)
    }
    guard let closing = inner.firstIndex(of: "]") else { return nil }
    let digits = inner[..<closing]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let index = Int(digits) else { return nil }
    rest = inner[closing...].dropFirst()
    return .index(index)
  }

  private static func closingQuote(in text: Substring) -> Substring.Index? {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if text[index] == "\\" {
        isEscaped = true
      } else if text[index] == "\"" {
        return index
      }
    }
    return nil
  }

  /// Returns the text of some components.
  static func text(of components: some Sequence<Component>) -> String {
    components.reduce(into: "") { path, component in
      switch component {
      case .key(let key): path = ValuePath.appending(key: key, to: path)
      case .index(let index): path = ValuePath.appending(index: index, to: path)
      }
    }
  }
}
