/// The paths that messages show and `--set` takes: `readers.launch.do[0].think`, `thresholds["a b"]`.
enum ValuePath {
  /// Returns the path of a member.
  static func appending(key: String, to path: String) -> String {
    guard isPlain(key) else { return "\(path)[\(Shown.text(key))]" }
    return path.isEmpty ? key : "\(path).\(key)"
  }

  /// Returns the path of an element.
  static func appending(index: Int, to path: String) -> String { "\(path)[\(index)]" }

  /// Whether a key can stand in a path without quotes.
  static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.count <= Shown.longest
      && key.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$", "{", "}", ":", ",": true
        default: false
        }
      }
  }
}

/// A value with the path at which it stands.
struct LocatedValue {
  var json: JSONValue
  var path: String

  /// Returns the element with its path.
  func element(_ json: JSONValue, at index: Int) -> LocatedValue {
    LocatedValue(json: json, path: ValuePath.appending(index: index, to: path))
  }
}
