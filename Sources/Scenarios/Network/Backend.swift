import ClientCore
import Events
import SimulatedService

/// The service behind the network, as the clients of one kind reach it.
protocol Backend: Sendable {
  /// Finds fault with a request that has arrived; nil if it is valid.
  func flaw(of request: ServiceRequest) -> RequestFlaw?

  /// Answers a request, and tells the witness what the answer truly says.
  ///
  /// - Parameters:
  ///   - request: What arrived.
  ///   - id: The request's number.
  ///   - lag: How many versions the answering replica lags behind.
  /// - Returns: The answer.
  func answer(_ request: ServiceRequest, _ id: RequestID, lag: Int) -> ServiceResponse

  /// Answers in the stead of the service, without an effect.
  ///
  /// - Parameters:
  ///   - decision: What a fault has decided.
  ///   - request: What arrived.
  ///   - id: The request's number.
  ///   - headers: More header fields.
  /// - Returns: The answer; nil if the decision is none about the answer.
  func stand(
    in decision: Injection.Decision, for request: ServiceRequest, _ id: RequestID, headers: [ServiceField]
  ) -> ServiceResponse?

  /// Spoils the body of an answer.
  func spoil(_ response: ServiceResponse, _ fault: AnswerFault, draw: (UInt64) -> UInt64) -> SpoiledResponse

  /// Tells the witness what of an answer has reached the client, in the step in which it does.
  func tell(_ delivery: Delivery, _ id: RequestID, _ call: ReaderScope.Call?)
}

/// What reaches a client.
struct Delivery: Sendable {
  var response: ServiceResponse
  /// Whether the body is what its status promises.
  var isUsable = true
  /// Values that the answer leaves out or garbles, by their place in it.
  var omitted: [Int32] = []
  var undecodable: [Int32] = []
  /// The wish of a refusal to be left alone.
  var patience: Patience?

  /// Whether the service took what was sent, as far as the client can tell.
  var isAcknowledged: Bool { (200..<300).contains(response.status) && isUsable }
}
