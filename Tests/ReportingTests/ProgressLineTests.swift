import Reporting
import Testing

@Suite struct ProgressLineTests {
  private let line = ProgressLine(
    elapsedNanoseconds: 12_345_000_000,
    fraction: 0.459,
    stepsPerSecond: 1_234_567.4,
    requests: 5000,
    violations: 0
  )

  @Test func `the line tells elapsed time, share, speed, requests and violations`() {
    #expect(line.text(columns: 80) == "12 s · 45 % · 1,234,567 steps/s · 5,000 requests · no violations")
    var bad = line
    bad.violations = 1
    #expect(bad.text(columns: 80) == "12 s · 45 % · 1,234,567 steps/s · 5,000 requests · 1 violation")
  }

  @Test func `what is not known is left out`() {
    let unknown = ProgressLine(
      elapsedNanoseconds: 0,
      fraction: nil,
      stepsPerSecond: nil,
      requests: 1,
      violations: 0
    )
    #expect(unknown.text(columns: 80) == "0 s · 1 request · no violations")
    let odd = ProgressLine(
      elapsedNanoseconds: -5,
      fraction: .nan,
      stepsPerSecond: .infinity,
      requests: 0,
      violations: 0
    )
    #expect(odd.text(columns: 80) == "0 s · 0 % · 0 steps/s · 0 requests · no violations")
  }

  @Test func `100 % is said only when all is done`() {
    var almost = line
    almost.fraction = 0.9999
    #expect(almost.text(columns: 80).contains("99 %"))
    almost.fraction = 1
    #expect(almost.text(columns: 80).contains("100 %"))
    almost.fraction = 1.5
    #expect(almost.text(columns: 80).contains("100 %"))
  }

  @Test(arguments: 0...80)
  func `the line never is wider than the terminal, and violations stay longest`(columns: Int) {
    var bad = line
    bad.violations = 12
    let text = bad.text(columns: columns)
    #expect(text.count <= columns)
    #expect(text.contains("12 violations") == (columns >= 13))
  }
}
