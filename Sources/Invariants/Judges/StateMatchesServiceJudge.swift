import Events

/// Judges `state-matches-service` for what LCFeatureControl gives out.
///
/// **Statement.** Every value is, bit by bit, what the service said under this key in the answer that carried
/// it, and every default is the one given for it. A walk over the inbox gives the notifications of the pages
/// that were brought to it, each once, in the order in which they first came; it asks for the page that the
/// one before named, and ends only at a page that names none or one it has asked for already.
///
/// **Unit of a check.** A key answered with a value of the service's, and a walk that returned.
///
/// **Red.**
/// 1. A value whose check number does not fit it, or a default that is not the stand-in.
/// 2. A walk gives a notification twice, in another order, or not at all, that its pages carried; one that
///    stopped because the reader had seen enough may leave out the rest of its last page.
/// 3. A walk asks for another cursor than the page before named, for one it has asked for already or for a
///    page after the last, or ends although that page named a new one. The empty text is a cursor like any
///    other.
///
/// **Why a correct client is never red.** The pages are those that reached the client in answer to the walk's
/// own requests; a walk that failed or was cancelled is not judged. One that the reader stopped ends within
/// its last page, since it is stopped by a notification that it was given.
///
/// **Not seen.** Whether a page is what the inbox holds: that is the service's affair.
struct StateMatchesServiceJudge: Judge {
  static let invariant = Invariant.stateMatchesService
  static let interests: Moments = [.replies, .others]

  private var walks: [CallID: [InboxPage]] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    // A page that comes after its walk is over reaches nobody.
    guard case .pageDelivered(_, let call, let page) = event, shadow.calls[call.rawValue] != nil else {
      return
    }
    walks[call, default: []].append(page)
  }

  mutating func observe(_ reply: Reply, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    let fault: String?
    switch reply.outcome {
    case .answered(let answers):
      docket.check(answers.count { $0.serial != nil })
      fault = answers.first { !$0.isIntact }.map { answer in
        "was given for key \(answer.key) "
          + (answer.serial.map { "another value than answer \($0.rawValue) carries under it" }
            ?? "another value than its default")
      }
    case .listed(let items, let isComplete):
      docket.check()
      fault = Walk(walks.removeValue(forKey: reply.id) ?? []).fault(of: items, isComplete: isComplete)
    case .failed, .cancelled, .finished:
      if !walks.isEmpty { walks[reply.id] = nil }
      fault = nil
    }
    if let fault { docket.convict(reply, at: stamp, fault) }
  }
}

/// The pages that a walk was brought.
private struct Walk {
  private let pages: [InboxPage]

  init(_ pages: [InboxPage]) { self.pages = pages }

  /// What is wrong with a walk that gave these items.
  func fault(of items: [UInt64], isComplete: Bool) -> String? {
    var asked: Set<UInt64> = []
    for (index, page) in pages.enumerated() {
      if index > 0, pages[index - 1].next == nil {
        return "asked for a page after the last, its page \(index)"
      }
      if page.asked != (index == 0 ? nil : pages[index - 1].next) {
        return index == 0
          ? "began with a cursor that nobody had named"
          : "asked for another cursor than its page \(index) named"
      }
      if let cursor = page.asked, !asked.insert(cursor).inserted {
        return "asked a second time for a cursor, with its page \(index + 1)"
      }
    }
    guard let last = pages.last else { return "returned without a page" }
    if isComplete, let next = last.next, !asked.contains(next) {
      return "ended after \(pages.count) pages although the last one named a next"
    }
    let expected = Self.distinct(pages)
    if items == expected { return nil }
    if !isComplete, expected.starts(with: items), items.count > Self.distinct(pages.dropLast()).count {
      return nil
    }
    if Set(items).count < items.count { return "gave a notification twice" }
    return "gave \(items.count) notifications; its pages carry \(expected.count), and the first that differs "
      + "is number \(zip(items, expected).prefix { $0 == $1 }.count + 1)"
  }

  /// The items of pages, each once, in the order in which they first come.
  private static func distinct(_ pages: some Sequence<InboxPage>) -> [UInt64] {
    var seen: Set<UInt64> = []
    return pages.flatMap(\.items).filter { seen.insert($0).inserted }
  }
}
