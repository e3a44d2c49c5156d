import Foundation
import Metrics
import Reporting
import Testing

/// What `report.html` holds whatever the run was.
@Suite struct PageTests {
  private static func pictures(of store: MetricStore, trail: [String] = []) -> RunPictures {
    RunPictures(
      description: "5,000 readers ask at once.", course: store.course(),
      distributions: [Metric.evaluationDuration, .requestDuration].compactMap { metric in
        store.query(metric).map { .init(metric: metric, histogram: $0.histogram) }
      },
      windows: [.init(name: "outage", from: 1_000_000, until: nil)],
      marks: [.init(words: "publish", at: 2_000_000), .init(words: "invalidate", at: 2_000_001)],
      trail: trail)
  }

  private static let trail = [
    "0.000000000 s  step 3  instance 9 launches for user 1 in context 0",
    "0.000000000 s  step 9  instance 9 starts request 1 to realtime",
    "0.118112159 s  step 240  request 1 brings the client status 101, serial 1",
    "0.147942844 s  step 278  reader 3 reads <b>bold</b> of flag 7",
    "0.147942845 s  step 279  the largest latency is healed",
  ]

  private static func text(_ result: RunResult) -> String {
    result.htmlText(pictures(of: Fixtures.store(), trail: trail))
  }

  /// The parts that a page may have, whole and in their order.
  private static func headings(_ text: String) -> [String] {
    text.split(separator: "<h2>").dropFirst().map { String($0.prefix { $0 != "<" }) }
  }

  @Test func `the verdict comes first, then what happened, then what proves it`() throws {
    let text = Self.text(try Fixtures.coldCache())
    #expect(
      Self.headings(text) == [
        "Over time", "Distributions", "Invariants", "Thresholds", "Metrics", "The run",
      ])
    let verdict = try #require(text.range(of: "✓ passed"))
    let story = try #require(text.range(of: "5,000 readers, 1 request, 4,999 joined it."))
    let first = try #require(text.range(of: "<h2>"))
    #expect(verdict.lowerBound < story.lowerBound && story.lowerBound < first.lowerBound)
  }

  @Test func `a failure shows what was violated, how to see it again and the steps before it`() throws {
    let text = Self.text(try Fixtures.troubled())
    #expect(Self.headings(text).first == "What was violated")
    #expect(text.contains("./simulate replay Reports/cold-cache/failure.json"))
    #expect(text.contains(">instance 9</text>") && text.contains(">reader 3</text>"))
    #expect(text.contains("<th>instance 9</th><th>reader 3</th><th>service</th>"))
    // A request belongs to whoever began it.
    #expect(text.contains("<td>request 1 brings the client status 101, serial 1</td><td></td><td></td>"))
  }

  @Test func `no name from outside becomes markup`() throws {
    let hostile = "</title><script>alert(1)</script><img src=x onerror='a'>\"&\u{202E}\u{0}\n"
    var result = try Fixtures.troubled()
    result.scenario.name = hostile
    result.scenario.overrides = [hostile]
    result.story = [hostile]
    result.notExercised = [hostile]
    result.tool.build = hostile
    result.machine.environment.cpu = hostile
    for index in result.invariants.indices {
      result.invariants[index].id = hostile
      result.invariants[index].firstViolation?.message = hostile
      result.invariants[index].firstViolation?.replay = hostile
    }
    for index in result.thresholds.indices { result.thresholds[index].metric = hostile }
    var pictures = Self.pictures(
      of: Fixtures.store(), trail: Array(repeating: hostile, count: 3) + Self.trail)
    pictures.description = hostile
    pictures.windows = [.init(name: hostile, from: 0, until: 5)]
    pictures.marks = [.init(words: hostile, at: 0)]
    let text = result.htmlText(pictures)
    #expect(!text.contains("<script") && !text.contains("<img"))
    #expect(!text.unicodeScalars.contains("\u{202E}") && !text.unicodeScalars.contains("\u{0}"))
    // Every tag is one of the page's own.
    let known: Set = [
      "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "p",
      "b",
      "small", "span", "pre", "div", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "ul",
      "li",
      "svg", "line", "rect", "text", "path",
    ]
    for tag in text.split(separator: "<").dropFirst() {
      let name = tag.prefix { $0.isLetter || $0.isNumber || $0 == "!" || $0 == "/" }
      #expect(known.contains(name.hasPrefix("/") ? String(name.dropFirst()) : String(name)))
    }
  }

  @Test func `the page needs nothing from elsewhere and no script`() throws {
    for result in [try Fixtures.coldCache(), try Fixtures.troubled(), try Fixtures.interrupted()] {
      let text = Self.text(result)
      for word in ["http:", "https:", "src=", "href=", "url(", "@import", "<script", "onload"] {
        #expect(!text.contains(word), "\(word)")
      }
      #expect(text.contains("default-src 'none'"))
    }
  }

  @Test func `equal runs have equal pages, save for the machine`() throws {
    let first = try Fixtures.coldCache()
    var second = first
    second.machine.wallNanoseconds = 1
    second.machine.environment.os = "another"
    #expect(Self.text(first) == Self.text(first))
    func rest(_ result: RunResult) -> [Substring] {
      Self.text(result).split(separator: "\n").filter { !$0.contains("id=\"machine\"") }
    }
    #expect(rest(first) == rest(second) && Self.text(first) != Self.text(second))
  }

  @Test(arguments: [(0, 0), (1, 0), (10_000, 10)])
  func `a run of no sample, of one and of ten million has a whole page`(samples: Int, doublings: Int) throws {
    var store = MetricStore()
    let durations = store.handle(.evaluationDuration, .none)
    let requests = ["200", "410", "429", "404", "503", "timeout"].map {
      store.handle(.requests, ["status": $0, "endpoint": "evaluate"])
    }
    var value: UInt64 = 1
    for sample in 0..<samples {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let time = Int64(sample) * 8_640_000
      store.record(Int64(value >> (34 + value % 20)), in: durations, at: time)
      store.add(to: requests[sample % 6], at: time)
      if sample.isMultiple(of: 3) { store.changeLevel(by: sample.isMultiple(of: 2) ? 1 : -1, at: time) }
    }
    for _ in 0..<doublings { store.merge(store) }
    var result = try Fixtures.coldCache()
    result.metrics = store.rows()
    result.series = store.series()
    let text = result.htmlText(Self.pictures(of: store))
    #expect(text.utf8.count <= 500_000)
    #expect(text.hasSuffix("</html>\n"))
    #expect(Self.headings(text).contains("Distributions") == (samples > 0))
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test func `the tables hold the numbers of the result`() throws {
    let result = try Fixtures.coldCache()
    let text = Self.text(result)
    for invariant in result.invariants where invariant.status == .passed {
      let checks = Figures.whole(invariant.checks)
      #expect(
        text.contains(
          "<td>\(invariant.id)</td><td><span class=\"good\">✓ passed</span></td><td class=\"n\">\(checks)</td>"
        ))
    }
    #expect(text.contains("<td>requests</td><td class=\"n\">1</td>"))
    #expect(text.contains("Not applicable: delta-base"))
  }
}
