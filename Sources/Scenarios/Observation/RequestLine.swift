import Events

/// What the ledger writes of a request, known when it starts.
struct RequestLine: Sendable {
  /// The number of the group on whose behalf it is made; -1 for none.
  let group: Int
  let endpoint: Endpoint
  /// Whether a fault struck it.
  let isInjected: Bool
  /// When it was handed to the transport, in nanoseconds of the run.
  let started: Int64
  /// When its flight began, authorization included.
  let flightBegan: Int64
}
