/// Ends the process with a text if a condition that only a bug can break does not hold.
///
/// `assert` vanishes and `precondition` loses its text in release builds.
/// - Parameters:
///   - condition: What must hold.
///   - text: What is wrong otherwise, with the remedy.
///   - file: Where the check stands.
///   - line: On which line.
func invariant(
  _ condition: Bool, _ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fatalError(text(), file: file, line: line) }
}
