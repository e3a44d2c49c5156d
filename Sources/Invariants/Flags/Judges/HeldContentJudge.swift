import Events

/// Judges `state-matches-service` for what a device of the flags client holds.
///
/// **Statement.** What a device holds is what the service resolved for its reader and context when it produced the answers
/// that made it: a snapshot, and the deltas upon it, deletions included.
///
/// **Unit of a check.** A look at a device.
///
/// **Red.**
/// 1. What a device shows is none of the records that it may hold: values, or the version that it gives for them.
/// 2. An answer was asked for another context than the app's, and reached the device in its epoch.
/// 3. Applied as the rules say, an answer does not lead to what the service resolved at its version: a delta that leaves a
///    deletion out, a 304 although the values have changed. Here the service is wrong, and its clients with it.
///
/// **Why a correct client is never red.** Of an instant in which an answer arrives both the record before and the one after
/// count, until the device is looked at when everything else has come to rest. Flags that do not decode are accounted for;
/// from then on until the next whole snapshot the device is not expected to hold everything.
///
/// **Not seen.** What is held between two looks; `one-snapshot-per-read` reads it.
struct HeldContentJudge: FlagsJudge {
  static let invariant = Invariant.stateMatchesService
  static let interests: Moments = [.requests, .others]

  init() {}

  mutating func observe(_ event: Event, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    switch event {
    case .device(.held(let instance, let held)):
      let device = shadow.device(instance)
      guard device.isLooked else { return }
      docket.check()
      guard let fault = device.fault(of: held) else { return }
      docket.convict(
        at: stamp, instance: instance, request: device.held.arrival?.answer.request,
        "instance \(instance.rawValue) \(fault)")
    case .requestCompleted(let request, _): judge(request, at: stamp, shadow, &docket)
    default: break
    }
  }

  private func judge(_ request: RequestID, at stamp: Stamp, _ shadow: FlagsShadow, _ docket: inout Docket) {
    guard let record = shadow.requests[request], record.endpoint.family == .flags else { return }
    let device = shadow.device(record.instance)
    guard device.isLooked, record.process == device.process, record.epoch == device.epoch,
      let arrival = device.held.arrival, arrival.answer.request == request, arrival.answer.isGood
    else { return }
    if let context = record.query?.context, context != device.context {
      docket.check()
      docket.convict(
        at: stamp, instance: record.instance, request: request,
        "request \(request.rawValue) was answered for context \(context), but the app's is "
          + (device.context.map { "\($0)" } ?? "none"))
    } else if device.held.discord == request {
      docket.check()
      docket.convict(
        at: stamp, instance: record.instance, request: request,
        "the answer to request \(request.rawValue) does not lead to what the service resolved at version "
          + "\(arrival.answer.version)")
    }
  }
}
