#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is known of the place that a stream ends in.
package struct Terminal: Sendable, Equatable {
  /// Whether it is a terminal, rather than a file or a pipe.
  package var isTerminal: Bool
  /// How many columns a line may have.
  package var columns: Int
  /// Whether colours may be used.
  package var allowsColor: Bool
  /// Whether a line can be drawn over.
  package var allowsRedrawing: Bool

  /// The width where nothing else is known.
  package static let usualColumns = 80
  /// The greatest width that is used: longer lines of prose are hard to read.
  private static let mostColumns = 100

  /// A file or a pipe.
  package static let none = Terminal(
    isTerminal: false,
    columns: usualColumns,
    allowsColor: false,
    allowsRedrawing: false
  )

  package init(isTerminal: Bool, columns: Int, allowsColor: Bool, allowsRedrawing: Bool) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.allowsColor = allowsColor
    self.allowsRedrawing = allowsRedrawing
  }

  /// Puts together what is known.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the stream ends in a terminal.
  ///   - measuredColumns: How wide the terminal says it is; nil if it does not.
  ///   - variables: The environment: `COLUMNS` is the width, `NO_COLOR` (when not empty) and `TERM=dumb` forbid
  ///     colours, and `TERM=dumb` drawing over a line.
  package init(isTerminal: Bool, measuredColumns: Int?, variables: [String: String]) {
    let isDumb = variables["TERM"] == "dumb"
    let named = variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    self.isTerminal = isTerminal
    self.columns = min(named ?? (isTerminal ? measuredColumns : nil) ?? Self.usualColumns, Self.mostColumns)
    self.allowsColor = isTerminal && !isDumb && (variables["NO_COLOR"] ?? "").isEmpty
    self.allowsRedrawing = isTerminal && !isDumb
  }

  /// Looks at an open file of this process.
  static func current(descriptor: Int32, variables: [String: String]) -> Terminal {
    let isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Terminal(
      isTerminal: isTerminal,
      measuredColumns: isKnown ? Int(size.ws_col) : nil,
      variables: variables
    )
  }
}
