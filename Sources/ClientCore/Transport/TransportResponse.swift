/// The answer to a request: whatever status it has, an answer is no error.
///
/// Its description shows status and size only, never header values or body (BEHAVIOUR rule 1.10).
public struct TransportResponse: Hashable, Sendable {
  /// The status code of HTTP, such as 200.
  public var status: Int
  /// The header fields, in the order received where the transport knows it, else in a fixed order.
  public var headers: [HeaderField]
  /// The whole body; empty if there was none.
  public var body: [UInt8]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status code of HTTP.
  ///   - headers: The header fields in order.
  ///   - body: The whole body.
  public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the first header field with the given name.
  ///
  /// Services and proxies differ in case, and a look-up that minds it misses ETags
  /// (Unleash/unleash-ios-sdk PR#6).
  ///
  /// - Complexity: O(*n*) in the number of fields.
  /// - Parameter name: The name, in any case.
  /// - Returns: The value, or nil if there is no such field.
  public func header(_ name: String) -> String? {
    headers.first { $0.matches(name) }?.value
  }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible {
  /// Status and size of the body.
  public var description: String { "\(status), \(body.count) bytes" }
  /// Status and size of the body.
  public var debugDescription: String { description }
}
