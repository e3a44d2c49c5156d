import Testing

@testable import Command

@Suite struct `Lines of a worker` {
  private static let tally = WorkerLine.SeedTally(seed: 7, steps: 1234, checks: [3, 0, 12], missed: [0, 4])
  private static let largest = WorkerLine.SeedTally(seed: .max, steps: .max, checks: [], missed: [])

  static let lines: [WorkerLine] = [
    .invariants(["single-flight", "ttl"]), .invariants([]), .begun(0), .begun(.max),
    .sentence(0, "faults.x struck nothing"), .sentence(12, ""), .passed(tally), .passed(largest),
    .violated(
      tally, .init(invariant: "ttl", nanoseconds: -1, step: 9, message: "an answer of 2 s was called fresh")),
    .stuck(3, "nothing could run any more"),
  ]

  @Test(arguments: lines.indices) func `what is written is read again`(index: Int) throws {
    let line = Self.lines[index]
    #expect(line.text.hasSuffix("\n"))
    #expect(line.text.dropLast().allSatisfy { !$0.isNewline })
    #expect(WorkerLine(String(line.text.dropLast())) == line)
  }

  @Test(arguments: ["a\tb", "a\nb", "a\r\nb", "a\u{2028}b"])
  func `a message stays on its line and in its field`(message: String) throws {
    for line in [
      WorkerLine.sentence(1, message), .stuck(1, message),
      .violated(Self.tally, .init(invariant: "ttl", nanoseconds: 0, step: 0, message: message)),
    ] {
      let read = try #require(WorkerLine(String(line.text.dropLast())))
      #expect(read.text == line.text)
      #expect(line.text.contains("a b"))
    }
  }

  @Test(arguments: [
    "", " ", "hello", "begun", "begun\t", "begun\tx", "begun\t-1", "begun\t1\t2", "begun 1", "Begun\t1",
    "begun\t18446744073709551616", "sentence\t1", "sentence\tx\ty", "sentence\t1\t2\t3", "passed\t1",
    "passed\t1\t2\t3",
    "passed\t1\t2\t3\t4\t5", "passed\tx\t2\t3\t4", "passed\t1\tx\t3\t4", "passed\t1\t2\tx\t4",
    "passed\t1\t2\t3\tx",
    "passed\t1\t2\t3,x\t4", "passed\t1\t2\t3,,4\t", "passed\t1\t2\t,3\t", "passed\t1\t2\t-3\t",
    "violated\t1\t2\t3\t4",
    "violated\t1\t2\t3\t4\tttl\tx\t1\tm", "violated\t1\t2\t3\t4\tttl\t1\tx\tm",
    "violated\t1\t2\t3\t4\tttl\t1\t1",
    "stuck\t1", "stuck\tx\ty", "passed\t1\t2\t3\t4\n", "\tbegun\t1",
  ])
  func `what is none of a worker's lines is not taken for one`(text: String) {
    #expect(WorkerLine(text) == nil)
  }
}
