import Metrics
import Testing

@Suite struct AllocationCounterTests {
  @Test func `a counter reads what it was given, none reads nothing`() {
    let reading = AllocationReading(allocations: 3, allocatedBytes: 96, residentBytes: 4096)
    let counter = AllocationCounter(name: "test") { reading }
    #expect(counter.read() == reading)
    #expect(counter.name == "test")
    #expect(AllocationCounter.none.read() == nil)
  }
}
