import Events

/// Judges `invalidation` on the wall clock.
///
/// **Unit of a check.** A call with at least one value that began after an `invalidateCache()` of its instance had
/// surely returned; the fresh hits of one answer, of which the log keeps only the latest, count as one.
///
/// **Red.** Such a call got a value whose request had started before that `invalidateCache()` was called.
///
/// **Not seen.** A fresh hit on an old answer that was not the last on that answer.
struct IntervalInvalidation {
  let index: IntervalIndex

  func judge(_ docket: inout Docket) {
    for call in index.log.calls {
      guard call.answers.contains(where: { $0.serial != nil }) else { continue }
      guard let fence = index.fence(call.instance, before: call.begin) else { continue }
      docket.check()
      let old = call.answers.lazy.compactMap(\.serial).compactMap(index.request(of:)).first {
        $0.instance == call.instance && $0.started < fence
      }
      guard let old else { continue }
      docket.convict(
        call, request: old.id,
        "was given a value requested at \(seconds(old.started)), before an invalidateCache() called at "
          + "\(seconds(fence)) had returned")
    }
    for hits in index.log.freshHits {
      guard let fence = index.fence(hits.instance, before: hits.latestBegin) else { continue }
      docket.check()
      guard let old = index.request(of: hits.serial), old.instance == hits.instance, old.started < fence
      else { continue }
      docket.convict(
        at: Stamp(nanoseconds: hits.latestBegin, step: 0), instance: hits.instance, request: old.id,
        "instance \(hits.instance.rawValue): a call at \(seconds(hits.latestBegin)) was given as fresh a value "
          + "requested at \(seconds(old.started)), before an invalidateCache() called at \(seconds(fence)) had "
          + "returned")
    }
  }
}
