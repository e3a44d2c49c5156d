/// A picture under way: a frame of axes, and what is drawn in it.
///
/// All sizes are in units of the picture, whose width is ``width``; colours are classes of the page's style, so that a
/// picture is right on light and on dark.
struct Plot {
  /// How wide every picture is.
  static let width = 760.0
  /// Where the frame begins and ends.
  static let plotLeft = 64.0
  static let plotRight = width - 14

  let height: Double
  let top: Double
  let bottom: Double
  private(set) var body = ""

  var plotTop: Double { top }
  var plotBottom: Double { height - bottom }

  /// Creates a picture without anything in it.
  init(height: Double, top: Double = 8, bottom: Double = 22) {
    self.height = height
    self.top = top
    self.bottom = bottom
  }

  /// The picture as SVG.
  ///
  /// - Parameter title: What it shows, for those who do not see it.
  /// - Returns: The picture, in a box that scrolls where it is too wide.
  func svg(title: String) -> String {
    let size = "0 0 \(Markup.number(Self.width)) \(Markup.number(height))"
    return "<div class=\"scroll\">"
      + Markup.element(
        "svg", [("viewBox", size), ("role", "img")], Markup.element("title", [], Markup.text(title)) + body)
      + "</div>"
  }

  mutating func add(_ markup: String) { body += markup }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    add(
      Markup.empty(
        "line",
        [
          ("x1", Markup.number(x1)), ("y1", Markup.number(y1)), ("x2", Markup.number(x2)),
          ("y2", Markup.number(y2)), ("class", style),
        ]))
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, title: String? = nil
  ) {
    let attributes = [
      ("x", Markup.number(x)), ("y", Markup.number(y)), ("width", Markup.number(max(0, width))),
      ("height", Markup.number(max(0, height))), ("class", style),
    ]
    guard let title else { return add(Markup.empty("rect", attributes)) }
    add(Markup.element("rect", attributes, Markup.element("title", [], Markup.text(title))))
  }

  mutating func label(_ text: String, _ x: Double, _ y: Double, _ style: String) {
    add(
      Markup.element(
        "text", [("x", Markup.number(x)), ("y", Markup.number(y)), ("class", style)], Markup.text(text)))
  }

  mutating func path(_ data: String, _ style: String) {
    if !data.isEmpty { add(Markup.empty("path", [("d", data), ("class", style)])) }
  }

  // MARK: Axes

  /// Draws the lines and labels of values up the left side.
  mutating func valueAxis(_ scale: Scale, ticks: Int = 3, isTime: Bool = false, words: (Double) -> String) {
    values(scale.ticks(ticks, isTime: isTime).map { (scale.position($0), words($0)) })
  }

  /// Draws given lines and labels up the left side.
  mutating func values(_ ticks: [(place: Double, words: String)]) {
    for (y, words) in ticks {
      line(Self.plotLeft, y, Self.plotRight, y, "grid")
      label(words, Self.plotLeft - 6, y + 4, "tick end")
    }
  }

  /// Draws the ticks below.
  mutating func baseAxis(_ scale: Scale, ticks: Int = 8, isTime: Bool = false, words: (Double) -> String) {
    base(scale.ticks(ticks, isTime: isTime).map { (scale.position($0), words($0)) })
  }

  /// Draws given ticks below.
  mutating func base(_ ticks: [(place: Double, words: String)]) {
    line(Self.plotLeft, plotBottom, Self.plotRight, plotBottom, "axis")
    for (x, words) in ticks {
      line(x, plotBottom, x, plotBottom + 4, "axis")
      // A label in the middle of the last tick would be cut off.
      let isLast = x > Self.plotRight - 20
      label(words, isLast ? Self.width : x, plotBottom + 16, isLast ? "tick end" : "tick mid")
    }
  }
}
