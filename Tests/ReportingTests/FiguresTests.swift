import Reporting
import Testing

@Suite struct FiguresTests {
  @Test(arguments: [
    (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000"),
    (Int64.min, "-9,223,372,036,854,775,808"),
  ])
  func `whole numbers have a comma between three digits`(number: Int64, text: String) {
    #expect(Figures.whole(number) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (1, "1"), (0.0123, "0.0123"), (41.25, "41.3"), (4.5, "4.5"), (123.456, "123"),
    (12_345.6, "12,346"),
    (99.95, "100"), (-2.5, "-2.5"), (0.1 + 0.2, "0.3"), (.nan, "–"), (.infinity, "–"), (1e300, "1e+300"),
  ])
  func `other numbers have three significant digits`(number: Double, text: String) {
    #expect(Figures.decimal(number) == text)
  }

  @Test(arguments: [
    (0.0, "0 ns"), (999, "999 ns"), (1000, "1 µs"), (1234, "1.23 µs"), (80_213_412, "80.2 ms"),
    (80_000_000, "80 ms"),
    (312_499_999, "312 ms"), (999_600_000, "1 s"), (999_499_999, "999 ms"), (3e9, "3 s"), (1.5e9, "1.5 s"),
    (59.94e9, "59.9 s"), (59.96e9, "1 min"), (9e10, "1 min 30 s"), (3599.6e9, "1 h"), (3.9e12, "1 h 5 min"),
    (8.64e13, "1 d"), (9.72e13, "1 d 3 h"), (86_399e9, "1 d"), (-1.5e6, "-1.5 ms"), (.nan, "–"),
    (9_994_000, "9.99 ms"), (9_996_000, "10 ms"), (99_960_000, "100 ms"),
  ])
  func `durations have the unit that suits them`(nanoseconds: Double, text: String) {
    #expect(Figures.duration(nanoseconds: nanoseconds) == text)
  }

  @Test(arguments: [
    (0.0, "0 B"), (999, "999 B"), (999.6, "1 kB"), (3120, "3.12 kB"), (48_234_496, "48.2 MB"),
    (6e8, "600 MB"), (999_900_000, "1 GB"),
  ])
  func `memory has the unit that suits it`(bytes: Double, text: String) {
    #expect(Figures.bytes(bytes) == text)
  }

  @Test func `shares are percent, counts have their noun`() {
    #expect(Figures.percent(0.985) == "98.5 %")
    #expect(Figures.percent(1) == "100 %")
    #expect(Figures.count(1, "check") == "1 check")
    #expect(Figures.count(4999, "check") == "4,999 checks")
    #expect(Figures.count(0, "retry", plural: "retries") == "0 retries")
  }
}
