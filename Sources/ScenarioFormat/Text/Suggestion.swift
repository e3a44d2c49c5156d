import Metrics

/// The remedy for a name that does not exist.
enum Suggestion {
  /// Returns the nearest name as a question, else all of them.
  ///
  /// - Parameters:
  ///   - name: The name as typed.
  ///   - names: Those that exist, from the tables or from the file.
  ///   - noun: What they are called, in the plural.
  /// - Returns: The remedy, for the end of a message.
  static func nearest(to name: String, among names: [String], called noun: String) -> String {
    if let nearest = Spelling.nearest(to: name, among: names) {
      return "did you mean \(Shown.text(nearest))?"
    }
    return names.isEmpty ? "there are no \(noun)" : "\(noun): \(list(names))"
  }

  /// Returns names with commas between them, of many only the first.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(32).map { Shown.bare($0) }.joined(separator: ", ")
    return names.count > 32 ? "\(shown), …" : shown
  }
}
