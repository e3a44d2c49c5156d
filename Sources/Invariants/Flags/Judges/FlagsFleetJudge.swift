import Events

/// Judges `fleet`: a fleet of devices with the flags client does not stampede.
///
/// **Statement.** After a mark (a publish, a launch, the end of an outage, broken sockets) the peak of arrivals per second is
/// at most α times the mean per second outside the 60 s after marks; if nothing arrives there, at most
/// α × readers ÷ jitter window. Over the whole run there are at most β sync requests for each need, a need being a
/// (device, epoch, version) that became due.
///
/// **Unit of a check.** A mark within 60 s of which requests arrived, and a need.
///
/// **Red.** A bound is passed. It is judged when the run is over, and the violation names the peak second.
///
/// **How it counts.** The peak is that of `FleetJudge`, over all endpoints. A device needs something when its epoch begins;
/// from then on each version beyond the first answer's that a notice or an answer brings it word of is one need, whether or
/// not it asks for each by itself: a client that fetches once for a burst of notices is the better for it.
///
/// **Why a correct client is never red.** The bounds are the scenario's: they say what its service can bear. A refresh for
/// which there is nothing new is a request without a need.
///
/// **Not seen.** Which request was too many. Requests of analytics are no part of the amplification.
struct FlagsFleetJudge: FlagsJudge {
  static let invariant = Invariant.fleet
  static let interests: Moments = [.requests, .others]

  private struct Device {
    var epoch = 0
    /// The newest version that the epoch's reader needs, or has; nil before the first answer.
    var version: Int64?
    /// Notices of versions before the first answer, which bring no need of their own unless they are newer.
    var announced: [Int64] = []
  }

  private var herd = HerdWatch()
  private var requests = 0
  private var needs = 0
  private var devices: [InstanceID: Device] = [:]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    herd.observe(event, at: stamp.nanoseconds, &docket)
    switch event {
    case .requestStarted(_, _, let endpoint, _):
      if endpoint.family == .flags { requests += 1 }
    case .requestCompleted(let request, _):
      guard let record = shadow.requests[request], record.endpoint.family == .flags,
        record.epoch == shadow.device(record.instance).epoch,
        shadow.reception(of: record, at: stamp.nanoseconds) != .none
      else { return }
      let answer = SyncAnswer(record)
      if answer.isGood { answered(answer.version, record.instance, &docket) }
    case .device(.launched(let instance, _, _)), .device(.readerChanging(let instance, _)):
      devices[instance] = Device(epoch: shadow.device(instance).epoch)
      need(1, &docket)
    case .device(.noticed(let instance, let version, _)): noticed(version, instance, &docket)
    default: break
    }
  }

  private mutating func answered(_ version: Int64, _ instance: InstanceID, _ docket: inout Docket) {
    guard let device = devices[instance] else { return }
    let newer = device.announced.filter { $0 > version }
    devices[instance]?.announced = []
    if let known = device.version {
      if version > known { need(1, &docket) }
    } else {
      need(newer.count, &docket)
    }
    devices[instance]?.version = max(version, device.version ?? 0, newer.max() ?? 0)
  }

  private mutating func noticed(_ version: Int64, _ instance: InstanceID, _ docket: inout Docket) {
    guard let device = devices[instance] else { return }
    if let known = device.version {
      guard version > known else { return }
      devices[instance]?.version = version
      need(1, &docket)
    } else if version > device.announced.last ?? 0 {
      devices[instance]?.announced.append(version)
    }
  }

  private mutating func need(_ count: Int, _ docket: inout Docket) {
    needs += count
    docket.check(count)
  }

  mutating func finish(at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard let bounds = shadow.facts.fleet else { return }
    herd.judgePeak(bounds, at: stamp, &docket)
    HerdWatch.judgeAmplification(requests, "sync", needs, bounds, at: stamp, &docket)
  }
}
