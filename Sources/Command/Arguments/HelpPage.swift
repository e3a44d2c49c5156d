/// The help texts, printed from the table of commands.
package enum HelpPage {
  /// Returns the help of the whole program.
  ///
  /// - Parameter columns: How wide the text may be.
  /// - Returns: The text, ending in a line break.
  package static func overview(columns: Int) -> String {
    var page = TextPage(columns: columns)
    page.paragraph("Simulate and load-test feature-flag clients.")
    page.heading("Usage")
    page.paragraph("simulate FILE…", indent: 2)
    for command in CommandTable.all { page.paragraph(usage(of: command), indent: 2) }
    page.heading("Commands")
    page.definitions(CommandTable.all.map { ($0.word.rawValue, $0.summary) })
    page.heading("Options of run")
    page.definitions(CommandTable.spec(of: .run).availableOptions.map { ($0.usage, $0.summary) })
    page.heading("Exit codes")
    page.definitions(CommandTable.exitCodes.map { (String($0.code.rawValue), $0.meaning) })
    page.heading("Try")
    page.paragraph("simulate scenarios/cold-cache.json", indent: 2)
    page.paragraph("simulate scenarios/cold-cache.json --readers 100000", indent: 2)
    page.paragraph("simulate scenarios/warm-cache.json --clock wall", indent: 2)
    return page.text
  }

  /// Returns the help of one command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - columns: How wide the text may be.
  /// - Returns: The text, ending in a line break.
  package static func page(of command: CommandSpec, columns: Int) -> String {
    var page = TextPage(columns: columns)
    page.paragraph(command.summary)
    page.heading("Usage")
    page.paragraph(usage(of: command), indent: 2)
    for paragraph in command.details {
      page.blank()
      page.paragraph(paragraph)
    }
    page.heading("Options")
    page.definitions(command.availableOptions.map { ($0.usage, $0.summary) })
    return page.text
  }

  private static func usage(of command: CommandSpec) -> String {
    let hasOptions = command.options.contains(where: \.isAvailable)
    let parts = ["simulate", command.word.rawValue, command.operands, hasOptions ? "[OPTIONS]" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
