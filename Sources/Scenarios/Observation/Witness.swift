import Events

/// A call that a reader has under way.
struct OpenCall: Sendable {
  let id: CallID
  let reader: ReaderID
  let instance: InstanceID
  let operation: Operation
  let key: RequestKey?
  /// When it began, in nanoseconds of the run.
  let began: Int64
}

/// Who is told everything that happens in a run, at the moment it happens.
///
/// A virtual run judges as it goes; a wall-clock run only writes down and is judged at its end.
protocol Witness: Sendable {
  func callBegan(_ reader: ReaderID, _ instance: InstanceID, _ operation: Operation, _ key: RequestKey?)
    -> OpenCall
  func callCancelled(_ call: OpenCall)
  func callReturned(_ call: OpenCall, _ outcome: CallOutcome)
  /// The readers with these numbers are about to be cancelled, and with them every call they have under way.
  func readersInterrupted(_ readers: Range<Int>)
  /// A client asks for the authorization of a request; the number is the request's.
  func flightBegan(_ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?) -> RequestID
  /// A client hands over a request, of the flight that began under `id` or of one that begins with it.
  func requestStarted(_ id: RequestID?, _ instance: InstanceID, _ endpoint: Endpoint, _ key: RequestKey?)
    -> RequestID
  func requestArrived(_ request: RequestID)
  func answerProduced(_ request: RequestID, _ serial: Serial, status: Int)
  func requestCancelled(_ request: RequestID)
  func requestCompleted(_ request: RequestID, _ completion: RequestCompletion)
  func published(_ version: Int64)
  func instanceClosed(_ instance: InstanceID)
  func leftover(_ instance: InstanceID?, _ kind: Leftover, _ count: Int)
  /// Anything else that judges want to know.
  func note(_ event: Event)
}
