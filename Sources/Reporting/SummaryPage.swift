/// The lines of a summary, as they are put together.
struct SummaryPage {
  /// How a line is coloured.
  enum Ink: String {
    case plain = ""
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// A row of a table.
  struct Row {
    var sign = ""
    var ink = Ink.plain
    var name: String
    var cells: [String]
  }

  let style: SummaryStyle
  private var lines: [String] = []

  init(style: SummaryStyle) { self.style = style }

  /// The lines, each ending in a line break.
  var text: String { lines.map { $0 + "\n" }.joined() }

  mutating func blank() { lines.append("") }

  mutating func heading(_ text: String) {
    blank()
    lines.append(painted(text, .bold))
  }

  /// Adds a text, broken at its spaces, its lines after the first further in by `hanging`.
  mutating func paragraph(_ text: String, indent: Int, hanging: Int = 0, ink: Ink = .plain) {
    // One width for all lines: the first one's place for a sign is not worth a second.
    let columns = style.columns - indent - hanging
    let safe = TextLayout.safe(text)
    let wrapped =
      TextLayout.width(of: safe) <= style.columns - indent
      ? [safe] : TextLayout.wrapped(safe, columns: columns)
    for (position, line) in wrapped.enumerated() {
      add(line, indent: position == 0 ? indent : indent + hanging, ink: ink)
    }
  }

  /// Adds parts with a point between them, broken only where a part ends.
  mutating func flow(_ parts: [String], indent: Int, ink: Ink = .plain) {
    let joined = parts.map { TextLayout.unbreakable(TextLayout.safe($0) + " ·") }.joined(separator: " ")
      .dropLast(2)
    for line in TextLayout.wrapped(String(joined), columns: style.columns - indent) {
      add(line, indent: indent, ink: ink)
    }
  }

  /// Adds lines that must stay as they are.
  mutating func unbroken(_ texts: [String], indent: Int) {
    for text in texts { add(text, indent: indent, ink: .plain) }
  }

  /// Adds a table: names on the left, cells right-aligned under their titles; where that is too wide, each row's
  /// cells follow its name on lines of their own.
  mutating func table(header: (name: String, titles: [String])?, rows: [Row]) {
    guard !rows.isEmpty else { return }
    let rows = rows.map { row in
      Row(
        sign: row.sign,
        ink: row.ink,
        name: TextLayout.safe(row.name),
        cells: row.cells.map(TextLayout.safe)
      )
    }
    let titles = header?.titles ?? []
    let signColumns = rows.contains { !$0.sign.isEmpty } ? 2 : 0
    let cellColumns = (rows.first?.cells ?? []).indices.map { column in
      let widest = rows.map { TextLayout.width(of: $0.cells[column]) }.max() ?? 0
      return 2 + max(widest, column < titles.count ? TextLayout.width(of: titles[column]) : 0)
    }
    let room = style.columns - 2 - signColumns - cellColumns.reduce(0, +)
    let longest = rows.map { TextLayout.width(of: $0.name) }.max() ?? 0
    // A long name may take a second line before the table is given up, but a short one is never cut.
    let headingRoom = TextLayout.width(of: header?.name ?? "") - 2 - signColumns
    let isTable = room >= max(min(longest, 30), headingRoom)
    let nameColumns = min(max(longest, headingRoom), room)
    if let header {
      blank()
      let titleLine = zip(header.titles, cellColumns).map { TextLayout.trailing($0, columns: $1) }.joined()
      lines.append(
        isTable
          ? painted(TextLayout.leading(header.name, columns: 2 + signColumns + nameColumns), .bold)
            + titleLine
          : painted(header.name, .bold)
      )
    }
    for row in rows {
      isTable
        ? addTableRow(row, signColumns: signColumns, nameColumns: nameColumns, cellColumns: cellColumns)
        : addStackedRow(row, signColumns: signColumns, titles: titles)
    }
  }

  private mutating func addTableRow(_ row: Row, signColumns: Int, nameColumns: Int, cellColumns: [Int]) {
    let names = TextLayout.wrapped(row.name, columns: nameColumns)
    let cells = zip(row.cells, cellColumns).map { TextLayout.trailing($0, columns: $1) }.joined()
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      let line = isLast ? TextLayout.leading(name, columns: nameColumns) + cells : name
      add(line, sign: position == 0 ? row.sign : "", signColumns: signColumns, indent: 2, ink: row.ink)
    }
  }

  private mutating func addStackedRow(_ row: Row, signColumns: Int, titles: [String]) {
    let names = TextLayout.wrapped(row.name, columns: style.columns - 2 - signColumns)
    for (position, name) in names.enumerated() {
      add(name, sign: position == 0 ? row.sign : "", signColumns: signColumns, indent: 2, ink: row.ink)
    }
    let cells = row.cells.enumerated().filter { !$0.element.isEmpty }.map { column, cell in
      column < titles.count ? "\(titles[column]) \(cell)" : cell
    }
    flow(cells, indent: 4 + signColumns, ink: row.ink == .green ? .plain : row.ink)
  }

  /// Adds a line; of a row that is as it should be only the sign is coloured.
  private mutating func add(
    _ line: String,
    sign: String = "",
    signColumns: Int = 0,
    indent: Int,
    ink: Ink
  ) {
    let start = String(repeating: " ", count: indent)
    let filler = String(repeating: " ", count: max(0, signColumns - TextLayout.width(of: sign)))
    var end = TextLayout.plain(line)[...]
    while end.last == " " { end = end.dropLast() }
    let isQuiet = signColumns > 0 && ink == .green
    lines.append(start + painted(sign, ink) + filler + painted(String(end), isQuiet ? .plain : ink))
  }

  private func painted(_ text: String, _ ink: Ink) -> String {
    style.isColored && ink != .plain && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
  }
}
