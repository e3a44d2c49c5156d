/// A name with its value: a header field, or one item of a query.
public struct ServiceField: Hashable, Sendable {
  /// The name; of a header field in any case.
  public var name: String
  /// The value, percent-decoded for a query item.
  public var value: String

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it arrives at the service.
public struct ServiceRequest: Hashable, Sendable {
  /// The method of HTTP, such as `POST`.
  public var method: String
  /// The path, percent-decoded, beginning with a slash.
  public var path: String
  /// The items of the query in order.
  public var query: [ServiceField]
  /// The header fields in order.
  public var headers: [ServiceField]
  /// The bytes of the body; empty if there is none.
  public var body: [UInt8]

  /// Creates a request from its parts.
  ///
  /// - Parameters:
  ///   - method: The method of HTTP.
  ///   - path: The path, percent-decoded, beginning with a slash.
  ///   - query: The items of the query in order, percent-decoded.
  ///   - headers: The header fields in order.
  ///   - body: The bytes of the body.
  public init(
    method: String,
    path: String,
    query: [ServiceField] = [],
    headers: [ServiceField] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Creates a request to a URL, as a client names it.
  ///
  /// - Complexity: O(*n*) in the length of the URL.
  /// - Parameters:
  ///   - method: The method of HTTP.
  ///   - url: An absolute URL or what follows its authority; nil comes back if its escapes are not UTF-8.
  ///   - headers: The header fields in order.
  ///   - body: The bytes of the body.
  public init?(method: String, url: String, headers: [ServiceField] = [], body: [UInt8] = []) {
    var rest = Substring(url).utf8
    if let scheme = rest.firstRange(of: "://".utf8) {
      rest = rest[scheme.upperBound...]
      rest = rest[(rest.firstIndex { Self.endsAuthority($0) } ?? rest.endIndex)...]
    }
    rest = rest[..<(rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex)]
    let question = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    guard let path = Self.decoded(rest[..<question]) else { return nil }
    var query: [ServiceField] = []
    for item in rest[question...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      guard let name = Self.decoded(item[..<equals]), let value = Self.decoded(item[equals...].dropFirst())
      else {
        return nil
      }
      query.append(ServiceField(name, value))
    }
    self.init(method: method, path: path.isEmpty ? "/" : path, query: query, headers: headers, body: body)
  }

  /// Returns the value of the first header field with the given name.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  /// - Parameter name: The name, in any case.
  /// - Returns: The value, or nil if there is no such field.
  public func header(_ name: String) -> String? { headers.value(of: name) }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexadecimalValue),
        let low = rest.popFirst().flatMap(hexadecimalValue)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

/// An answer of the service.
public struct ServiceResponse: Hashable, Sendable {
  /// The status code of HTTP.
  public var status: Int
  /// The header fields in order.
  public var headers: [ServiceField]
  /// The bytes of the body.
  public var body: [UInt8]
  /// The number of the answer, from 1, errors included; every flag in the body carries it in its payload.
  public var serial: UInt64
  /// What a page of the inbox holds; nil for any other answer.
  public var page: ServedPage?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status code of HTTP.
  ///   - headers: The header fields in order.
  ///   - body: The bytes of the body.
  ///   - serial: The number of the answer, from 1.
  public init(status: Int, headers: [ServiceField], body: [UInt8], serial: UInt64) {
    self.status = status
    self.headers = headers
    self.body = body
    self.serial = serial
  }

  /// Returns the value of the first header field with the given name.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  /// - Parameter name: The name, in any case.
  /// - Returns: The value, or nil if there is no such field.
  public func header(_ name: String) -> String? { headers.value(of: name) }
}

extension [ServiceField] {
  /// The value of the first field with a name, in any case.
  fileprivate func value(of name: String) -> String? {
    first { field in
      field.name == name
        || field.name.utf8.count == name.utf8.count && field.name.lowercased() == name.lowercased()
    }?.value
  }
}
