import ClientCore

/// A request of a module, without what every request to the project carries.
package struct PalbaseRequest: Sendable {
  /// What is asked of the resource.
  package var method: TransportRequest.Method
  /// The path below the base URL, beginning with a slash and percent-encoded.
  package var path: String
  /// Names and values of the query, in order and not encoded.
  package var query: [(name: String, value: String)]
  /// Header fields of this request alone.
  package var headers: [HeaderField]
  /// The JSON to send; nil sends no body.
  package var body: [UInt8]?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: What is asked of the resource.
  ///   - path: The path below the base URL, beginning with a slash and percent-encoded.
  ///   - query: Names and values of the query, in order and not encoded.
  ///   - headers: Header fields of this request alone.
  ///   - body: The JSON to send; nil sends no body.
  package init(
    _ method: TransportRequest.Method, _ path: String, query: [(name: String, value: String)] = [],
    headers: [HeaderField] = [], body: [UInt8]? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The request as it goes to the transport.
  ///
  /// - Parameters:
  ///   - configuration: Where the project is, and its key.
  ///   - credential: What proves the reader.
  /// - Returns: The request; it asks for JSON, and says so of what it carries.
  func complete(_ configuration: PalbaseConfiguration, _ credential: [HeaderField]) -> TransportRequest {
    var fields = [HeaderField("apikey", configuration.apiKey)] + credential
    if body != nil { fields.append(HeaderField("Content-Type", "application/json")) }
    fields.append(HeaderField("Accept", "application/json"))
    let query = query.map { $0.name.percentEncoded + "=" + $0.value.percentEncoded }.joined(separator: "&")
    return TransportRequest(
      method: method, url: configuration.url(path) + (query.isEmpty ? "" : "?" + query),
      headers: fields + headers, body: body)
  }
}

extension PalbaseConfiguration {
  /// The absolute URL of a path of the project.
  func url(_ path: String) -> String {
    var base = baseURL[...]
    while base.last == "/" { base.removeLast() }
    return base + path
  }

  /// Gives the logger a line, which must hold no value, token or name of a reader.
  func log(_ line: String) { logger?("Palbase: " + line) }
}
