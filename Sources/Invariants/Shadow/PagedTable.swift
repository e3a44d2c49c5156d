/// Records under ascending numbers, of which old ones go away roughly in order.
///
/// Calls, requests and answers are numbered as they come, so a dictionary would pay for hashing what an index
/// already says. The records stand in pages of 256; a page is freed when its last record has gone, and the front of
/// the page table is cut off when it has become empty. A million open calls cost one slot each, a long run with few
/// open calls at a time costs a few pages.
struct PagedTable<Record: Sendable>: Sendable {
  private struct Page: Sendable {
    var slots: ContiguousArray<Record?>
    var count = 0
  }

  private static var pageBits: UInt64 { 8 }
  private static var pageSize: Int { 1 << Int(pageBits) }

  /// The pages from number `base` on; an empty page that had records is nil.
  private var pages: ContiguousArray<Page?> = []
  private var base: UInt64 = 0
  /// The first index of `pages` that may be in use.
  private var head = 0

  /// How many pages hold memory.
  var heldPages: Int { pages.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

  /// The number of records.
  private(set) var count = 0

  private func place(_ number: UInt64) -> (page: Int, slot: Int)? {
    let page = number >> Self.pageBits
    guard page >= base, page - base < UInt64(pages.count) else { return nil }
    return (Int(page - base), Int(number & UInt64(Self.pageSize - 1)))
  }

  /// The record under a number; nil when there is none.
  ///
  /// - Complexity: O(1).
  subscript(number: UInt64) -> Record? {
    guard let place = place(number), pages[place.page] != nil else { return nil }
    return pages[place.page]?.slots[place.slot]
  }

  /// Puts a record under a number that has none.
  ///
  /// - Complexity: O(1) amortised while numbers ascend without large gaps.
  mutating func insert(_ record: Record, under number: UInt64) {
    let page = number >> Self.pageBits
    if pages.isEmpty {
      base = page
      head = 0
    }
    if page < base {
      pages.insert(contentsOf: repeatElement(nil, count: Int(base - page)), at: 0)
      base = page
    }
    if page - base >= UInt64(pages.count), let last = pages.last, last?.count == 0 {
      // Kept until now because it was the last one.
      pages.append(nil)
      release(pages.count - 2)
    }
    let index = Int(page - base)
    while pages.count <= index { pages.append(nil) }
    head = min(head, index)
    if pages[index] == nil {
      pages[index] = Page(slots: ContiguousArray(repeating: nil, count: Self.pageSize))
    }
    let slot = Int(number & UInt64(Self.pageSize - 1))
    if pages[index]?.slots[slot] == nil {
      pages[index]?.count += 1
      count += 1
    }
    pages[index]?.slots[slot] = record
  }

  /// Changes the record under a number in place; does nothing when there is none.
  ///
  /// - Complexity: O(1) and what the change costs.
  mutating func update(_ number: UInt64, _ change: (inout Record) -> Void) {
    guard let place = place(number), pages[place.page]?.slots[place.slot] != nil else { return }
    change(&pages[place.page]!.slots[place.slot]!)
  }

  /// Takes away the record under a number, if there is one.
  ///
  /// - Complexity: O(1) amortised.
  mutating func remove(_ number: UInt64) {
    guard let place = place(number), pages[place.page]?.slots[place.slot] != nil else { return }
    pages[place.page]?.slots[place.slot] = nil
    pages[place.page]?.count -= 1
    count -= 1
    if pages[place.page]?.count == 0 { release(place.page) }
  }

  /// Frees an empty page, unless it is the last one, which the next number will need.
  private mutating func release(_ page: Int) {
    guard page != pages.count - 1 else { return }
    pages[page] = nil
    while head < pages.count - 1, pages[head] == nil { head += 1 }
    guard head > 64, head > pages.count / 2 else { return }
    pages.removeFirst(head)
    base += UInt64(head)
    head = 0
  }

  /// Visits all records in the order of their numbers.
  ///
  /// - Complexity: O(n) in the number of records and pages.
  func forEach(_ visit: (UInt64, Record) -> Void) {
    for index in head..<max(head, pages.count) {
      guard let page = pages[index] else { continue }
      for (slot, record) in page.slots.enumerated() {
        if let record { visit((base + UInt64(index)) << Self.pageBits | UInt64(slot), record) }
      }
    }
  }
}
