import Testing

@testable import Invariants

@Suite struct PagedTableTests {
  @Test(arguments: [1, 3, 300])
  func `a long run with few open records holds few pages`(open: UInt64) {
    var table = PagedTable<UInt64>()
    for number in 1...100_000 as ClosedRange<UInt64> {
      table.insert(number, under: number)
      if number > open { table.remove(number - open) }
    }
    #expect(table.count == Int(open))
    #expect(table.heldPages <= 4)
    #expect(table[100_000] == 100_000)
    #expect(table[1] == nil)
  }

  @Test func `records that are opened and closed one at a time leave one page`() {
    var table = PagedTable<UInt64>()
    for number in 1...100_000 as ClosedRange<UInt64> {
      table.insert(number, under: number)
      table.remove(number)
    }
    #expect(table.count == 0)
    #expect(table.heldPages <= 1)
  }

  @Test func `numbers may leave gaps and come late`() {
    var table = PagedTable<UInt64>()
    for number in [5_000, 5_001, 70_000, 4_000, 69_999] as [UInt64] { table.insert(number, under: number) }
    for number in [5_000, 5_001, 70_000, 4_000, 69_999] as [UInt64] { #expect(table[number] == number) }
    var seen: [UInt64] = []
    table.forEach { number, _ in seen.append(number) }
    #expect(seen == [4_000, 5_000, 5_001, 69_999, 70_000])
  }
}
