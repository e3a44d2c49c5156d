import Foundation
import Reporting
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct JUnitTests {
  /// An element as a parser sees it.
  private final class Collector: NSObject, XMLParserDelegate {
    struct Element {
      let name: String
      let attributes: [String: String]
      var text = ""
    }

    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }

    func parser(
      _ parser: XMLParser,
      didEndElement name: String,
      namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }
  }

  private func elements(_ result: RunResult) throws -> [Collector.Element] {
    let parser = XMLParser(data: Data(result.junitText().utf8))
    let collector = Collector()
    parser.delegate = collector
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return collector.elements
  }

  @Test func `there is a case for each invariant and each threshold`() throws {
    let elements = try elements(Fixtures.coldCache())
    let cases = elements.filter { $0.name == "testcase" }
    #expect(
      cases.map { "\($0.attributes["classname"] ?? "") \($0.attributes["name"] ?? "")" } == [
        "cold-cache.invariants single-flight", "cold-cache.invariants answers-once",
        "cold-cache.invariants cancel-isolated", "cold-cache.invariants ttl",
        "cold-cache.invariants invalidation",
        "cold-cache.invariants request-economy", "cold-cache.invariants nothing-left",
        "cold-cache.invariants no-escape", "cold-cache.invariants delta-base",
        "cold-cache.thresholds requests{endpoint:evaluate}: count==1",
        "cold-cache.thresholds evaluation_duration: max<3s",
      ]
    )
    let suite = try #require(elements.first { $0.name == "testsuite" })
    #expect(suite.attributes["tests"] == "11")
    #expect(suite.attributes["skipped"] == "3")
    #expect(suite.attributes["failures"] == "0")
    #expect(suite.attributes["time"] == "0.412")
    #expect(elements.first { $0.name == "system-out" }?.text == "5,000 readers, 1 request, 4,999 joined it.")
  }

  @Test func `the totals are those of the cases, and everything wrong is a failure`() throws {
    let elements = try elements(Fixtures.troubled())
    let suite = try #require(elements.first { $0.name == "testsuite" })
    let failures = elements.filter { $0.name == "failure" }
    #expect(suite.attributes["failures"] == String(failures.count))
    #expect(
      failures.map { $0.attributes["type"] } == [
        "violated", "violated", "not-exercised", "not-exercised", "no-data", "failed", "no-data", "failed",
      ]
    )
    #expect(suite.attributes["skipped"] == "1")
    #expect(failures[0].text.contains("./simulate replay Reports/cold-cache/failure.json"))
  }

  @Test func `hostile words come out as they went in, save what XML cannot hold`() throws {
    let elements = try elements(Fixtures.troubled())
    let message = try #require(elements.filter { $0.name == "failure" }[1].attributes["message"])
    #expect(message.hasPrefix("Broken \u{FFFD}[2J\nby ]]> <script>\u{FFFD}\u{2028}"))
  }

  @Test func `any text gives a document that parsers take`() throws {
    var result = try Fixtures.troubled()
    let all =
      (0...0x2FF).compactMap { Unicode.Scalar($0 as UInt32) }.map(String.init).joined()
      + "\u{FFFE}\u{FFFF}]]>"
    result.story = [all]
    result.scenario.overrides = [all]
    result.invariants[0].firstViolation?.message = all
    let elements = try elements(result)
    let override = elements.first { $0.attributes["name"] == "override" }?.attributes["value"]
    #expect(override?.hasPrefix(String(repeating: "\u{FFFD}", count: 9) + "\t\n") == true)
    #expect(override?.contains("\r\u{FFFD}") == true)
  }

  @Test func `an interrupted run is an error, and what it did not reach is skipped`() throws {
    let elements = try elements(Fixtures.interrupted())
    #expect(
      elements.filter { $0.name == "error" }.map { $0.attributes["message"] } == ["interrupted by SIGINT"]
    )
    #expect(elements.filter { $0.name == "skipped" }.count == 3)
    #expect(elements.filter { $0.name == "failure" }.isEmpty)
  }
}
