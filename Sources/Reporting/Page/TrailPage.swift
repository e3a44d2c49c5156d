/// The last steps before a violation: who did what, side by side.
struct TrailPage {
  /// One step.
  struct Step {
    let time: String
    let step: String
    /// The column: whose step it is.
    let actor: Int
    let words: String
  }

  /// How many columns there are at most; the last one takes whoever comes seldom.
  static let actorLimit = 6
  /// How many steps are shown.
  static let stepLimit = 60

  let actors: [String]
  let steps: [Step]

  /// Reads the lines of a trail, each `time  step n  what happened`.
  ///
  /// - Complexity: O(n) in the number of lines.
  init(_ lines: [String]) {
    let parts = lines.suffix(Self.stepLimit).map { line -> (time: String, step: String, words: String) in
      let pieces = line.split(separator: "  ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
      guard pieces.count == 3 else { return ("", "", line) }
      return (pieces[0], pieces[1].split(separator: " ").last.map(String.init) ?? "", pieces[2])
    }
    var owners: [String: String] = [:]
    let names = parts.map { Self.actor(of: $0.words, &owners) }
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    let order = names.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { names[$0] }
    var kept = order
    if order.count > Self.actorLimit {
      let frequent = order.enumerated().sorted {
        (-counts[$0.element, default: 0], $0.offset) < (-counts[$1.element, default: 0], $1.offset)
      }.prefix(Self.actorLimit - 1).map(\.element)
      kept = order.filter { frequent.contains($0) } + ["others"]
    }
    actors = kept
    steps = zip(parts, names).map { part, name in
      Step(
        time: part.time, step: part.step, actor: kept.firstIndex(of: name) ?? kept.count - 1,
        words: part.words)
    }
  }

  /// Whose step a line tells of: an instance, a reader, or the service; a request and a call are theirs who began them.
  private static func actor(of words: String, _ owners: inout [String: String]) -> String {
    let pieces = words.split(separator: " ").map { $0.filter { $0.isLetter || $0.isNumber || $0 == "-" } }
    func named(_ kind: String) -> String? {
      for (position, piece) in pieces.enumerated() where piece == kind && position + 1 < pieces.count {
        if pieces[position + 1].allSatisfy(\.isNumber) { return "\(kind) \(pieces[position + 1])" }
      }
      return nil
    }
    let owned = named("request") ?? named("call")
    if let actor = named("instance") ?? named("reader") {
      if let owned { owners[owned] = actor }
      return actor
    }
    return owned.flatMap { owners[$0] } ?? "service"
  }

  /// The steps as a table: one column for each that acts, time going down.
  var table: String {
    var table = PageTable(titles: ["time", "step"] + actors, style: "trail")
    for step in steps {
      var row: [PageTable.Cell] = [.figure(step.time), .figure(step.step)]
      for actor in actors.indices { row.append(.text(actor == step.actor ? step.words : "")) }
      table.rows.append(row)
    }
    return table.markup
  }

  /// The steps as a picture: a line down for each that acts, a dot for each step; nil without steps.
  func svg() -> String? {
    guard !steps.isEmpty else { return nil }
    let gap = 9.0
    var plot = Plot(height: Double(steps.count) * gap + 44, top: 26, bottom: 12)
    let width = (Plot.plotRight - Plot.plotLeft) / Double(max(1, actors.count))
    func x(_ actor: Int) -> Double { Plot.plotLeft + (Double(actor) + 0.5) * width }
    for (number, actor) in actors.enumerated() {
      plot.line(x(number), plot.plotTop, x(number), plot.plotBottom, "grid")
      plot.label(actor, x(number), 16, "title mid")
    }
    var before: (Double, Double)?
    for (number, step) in steps.enumerated() {
      let here = (x(step.actor), plot.plotTop + Double(number) * gap + 6)
      if let before { plot.line(before.0, before.1, here.0, here.1, "axis") }
      if number == 0 || steps[number - 1].time != step.time { plot.label(step.time, 4, here.1 + 4, "tick") }
      plot.rectangle(
        here.0 - 3, here.1 - 3, 6, 6, number == steps.count - 1 ? "dot last" : "dot", title: step.words)
      before = here
    }
    return plot.svg(title: "The last steps before the violation, whose they are, in their order")
  }
}
