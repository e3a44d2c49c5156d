/// A table of the page: names on the left, numbers on the right of their column.
struct PageTable {
  /// A cell.
  struct Cell {
    let markup: String
    let isNumber: Bool

    /// A text.
    static func text(_ text: String, _ style: String? = nil) -> Cell {
      let safe = Markup.text(text)
      return Cell(
        markup: style.map { Markup.element("span", [("class", $0)], safe) } ?? safe, isNumber: false)
    }

    /// A figure.
    static func figure(_ text: String) -> Cell { Cell(markup: Markup.text(text), isNumber: true) }
  }

  let titles: [String]
  var rows: [[Cell]] = []
  var style = ""

  /// The table, in a box of its own that scrolls where it is too wide; nothing without rows.
  var markup: String {
    guard let first = rows.first else { return "" }
    let head = zip(titles, first).map { title, cell in
      "<th\(cell.isNumber ? " class=\"n\"" : "")>\(Markup.text(title))</th>"
    }
    let body = rows.map { row in
      "<tr>" + row.map { "<td\($0.isNumber ? " class=\"n\"" : "")>\($0.markup)</td>" }.joined() + "</tr>"
    }
    return "<div class=\"scroll\"><table\(style.isEmpty ? "" : " class=\"\(style)\"")>"
      + "<thead><tr>\(head.joined())</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table></div>"
  }

  /// The table below a line that opens it.
  func folded(_ summary: String) -> String {
    rows.isEmpty ? "" : "<details><summary>\(Markup.text(summary))</summary>\(markup)</details>"
  }
}
