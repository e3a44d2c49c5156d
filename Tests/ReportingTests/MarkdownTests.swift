import Foundation
import Reporting
import Testing

@Suite struct MarkdownTests {
  @Test func `the verdict comes first and the thresholds are in the open`() throws {
    let text = try Fixtures.coldCache().markdownText()
    #expect(text.hasPrefix("### ✓ cold-cache: passed\n\nSeed 1, virtual clock.\n\n5,000 readers, 1 request"))
    #expect(text.contains("| requests{endpoint:evaluate} count==1 | ✓ | 1 | 1 |"))
    #expect(text.contains("<summary>Invariants: 6 of 8 passed</summary>"))
    #expect(text.contains("| single-flight | passed | 4,999 |"))
    #expect(text.hasSuffix("Digest `9f86d081884c7d65`, build `0123abc`.\n"))
  }

  @Test func `a violation is told with the command that shows it again`() throws {
    let text = try Fixtures.troubled().markdownText()
    #expect(text.contains("### ✗ cold-cache: invariant violated (exit 3)"))
    #expect(text.contains("**✗ single-flight violated**: A second request for an equal call left"))
    #expect(text.contains("```\n./simulate replay Reports/cold-cache/failure.json\n```"))
  }

  @Test func `no name from outside becomes markup`() throws {
    let hostile = "a|b`c`*d*_e_[f](g)<i>#h\n~~i~~![j](k)\\l"
    var result = try Fixtures.troubled()
    result.scenario.name = hostile
    result.story = [hostile]
    result.notExercised = [hostile]
    for index in result.thresholds.indices { result.thresholds[index].metric = hostile }
    result.invariants[0].firstViolation?.replay = "echo ```` \n x"
    let text = result.markdownText()
    #expect(!text.contains("<i>") && !text.contains("[f](g)") && !text.contains("a|b"))
    #expect(text.contains(##"a\|b\`c\`\*d\*\_e\_\[f\](g)&lt;i&gt;\#h \~\~i"##))
    // A row of a table has as many cells as its head, whatever is in it.
    for line in text.split(separator: "\n") where line.hasPrefix("| a\\|b") {
      let bars = line.replacing("\\|", with: "").filter { $0 == "|" }
      #expect(bars.count == 5)
    }
    #expect(text.contains("`````\necho ````"))
  }
}
