import Events

/// Judges `fleet`: a fleet of devices does not stampede.
///
/// **Statement.** After a mark (a publish, an invalidation, a switch of users, a flush of all, the end of a fault) the peak
/// of arrivals per second is at most α times the mean per second outside the 60 s after marks; if nothing
/// arrives there, at most α × readers ÷ jitter window. Over the whole run there are at most β evaluate
/// requests for each need, a need being an (instance, epoch, cache key) that became due: the first call that
/// finds nothing fresh since the last good answer.
///
/// **Unit of a check.** A mark within 60 s of which requests arrived, and a need.
///
/// **Red.** A bound is passed. It is judged when the run is over, and the violation names the peak second.
///
/// **How it counts.** Seconds are those of virtual time, as in the report's peak. An arrival belongs to the
/// time after marks if a mark lies before it, by no more than 60 s, also where both fall into one second:
/// what came in that second before the mark is none of its doing. The mean is taken from the first arrival of
/// the run to the last; less than a second of calm counts as a second.
///
/// One arrival is a peak of one per second, so a fleet that seldom asks needs a large α.
///
/// **Why a correct client is never red.** The bounds are the scenario's: they say what its service can bear.
/// An answer closes a need only if it came in time; a call that began within the instant of the answer opens
/// one, in the client's favour.
///
/// **Not seen.** Which request was too many. Expiry makes no mark of its own: each entry expires for itself.
/// What a cache that is too small has thrown away is no need.
struct FleetJudge: Judge {
  static let invariant = Invariant.fleet
  static let interests: Moments = [.calls, .requests, .others]

  private var herd = HerdWatch()
  private var requests = 0
  private var needs = 0
  /// For each cache entry the epoch, by the event that began it, for which a need is open.
  private var open: [Int32: Int64] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    herd.observe(event, at: stamp.nanoseconds, &docket)
    switch event {
    case .callBegan(let call, _, let instance, _, .some):
      guard let record = shadow.calls[call.rawValue], !record.mayHaveFoundFresh else { return }
      let entry = shadow.groups[Int(record.group)].entry
      let epoch = shadow.instance(instance).fenceEnd
      if open.updateValue(epoch, forKey: entry) != epoch {
        needs += 1
        docket.check()
      }
    case .requestStarted(_, _, .evaluate, _):
      requests += 1
    case .requestCompleted(let request, .answered(200, .some)):
      guard let place = shadow.place(of: request) else { return }
      let entry = shadow.groups[place.group].entry
      if shadow.entries[Int(entry)].lastReceived == stamp.nanoseconds { open[entry] = nil }
    default:
      break
    }
  }

  mutating func finish(at stamp: Stamp, _ shadow: Shadow, _ docket: inout Docket) {
    guard let bounds = shadow.facts.fleet else { return }
    herd.judgePeak(bounds, at: stamp, &docket)
    HerdWatch.judgeAmplification(requests, "evaluate", needs, bounds, at: stamp, &docket)
  }
}
