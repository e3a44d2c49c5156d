/// A request as a client hands it to its transport: a plain value, complete and independent of any library.
///
/// Its description shows method and path only, never query, header values or body (BEHAVIOUR rule 1.10).
public struct TransportRequest: Hashable, Sendable {
  /// The method of a request; open, because services may define their own.
  public struct Method: Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent; case matters.
    public let name: String

    /// Asks for a resource.
    public static let get = Method(known: "GET")
    /// Sends a body to a resource.
    public static let post = Method(known: "POST")
    /// Asks for the header of a resource.
    public static let head = Method(known: "HEAD")

    /// Creates a method from text that may be wrong; nil if it is not a token of RFC 9110.
    ///
    /// - Parameter name: The method as it is sent.
    public init?(_ name: String) {
      guard !name.isEmpty, name.utf8.allSatisfy(HeaderField.isTokenByte) else { return nil }
      self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The method as it is sent.
    public var description: String { name }
  }

  /// What is asked of the resource.
  public var method: Method
  /// The absolute URL of the resource, with its query.
  public var url: String
  /// The header fields in the order in which they are sent.
  public var headers: [HeaderField]
  /// The bytes to send; nil sends no body.
  public var body: [UInt8]?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: What is asked of the resource.
  ///   - url: The absolute URL of the resource; it is judged by the transport, not here.
  ///   - headers: The header fields in the order in which they are sent.
  ///   - body: The bytes to send; nil sends no body.
  public init(method: Method, url: String, headers: [HeaderField] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The path of the URL, percent-encoded as given, without authority, query and fragment; `/` if it has
  /// none.
  ///
  /// - Complexity: O(*n*) in the length of the URL.
  public var path: Substring {
    var rest = url[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    if let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
    guard let slash = rest.firstIndex(of: "/") else { return "/" }
    return rest[slash...]
  }

  /// Returns the value of the first header field with the given name.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  /// - Parameter name: The name, in any case.
  /// - Returns: The value, or nil if there is no such field.
  public func header(_ name: String) -> String? {
    headers.first { $0.matches(name) }?.value
  }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible {
  /// Method and path.
  public var description: String { "\(method) \(path)" }
  /// Method and path.
  public var debugDescription: String { description }
}
