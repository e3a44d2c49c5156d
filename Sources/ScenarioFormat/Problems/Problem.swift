/// One thing that is wrong with a scenario, and what to do about it.
public struct Problem: Error, Sendable, Equatable {
  /// The file, as it was named or found.
  public let file: String
  /// The line in the file, from 1; nil if the problem is not at a place of the text.
  public let line: Int?
  /// The column in characters, from 1; nil if the problem is not at a place of the text.
  public let column: Int?
  /// The override whose value is at fault, such as `--set client.cacheTTL=45`; nil if the file's text is.
  public let option: String?
  /// The path of the value in the file, such as `readers.launch.do[0]`; empty for the file as a whole.
  public let path: String
  /// What is wrong, naming the value and the rule.
  public let message: String
  /// The remedy; nil if the message says it all.
  public let suggestion: String?
}

extension Problem: CustomStringConvertible {
  /// One line for a terminal: `file:line:column: error: path: message; suggestion`.
  ///
  /// - Complexity: O(n) in the length of the text.
  public var description: String {
    var text = Shown.line(file)
    if let line, let column { text += ":\(line):\(column)" }
    text += ": error: "
    if let option { text += "\(option): " }
    if !path.isEmpty { text += "\(path): " }
    text += message
    if let suggestion { text += "; \(suggestion)" }
    return text
  }
}
