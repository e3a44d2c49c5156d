/// What goes wrong with an answer's body on its way (BEHAVIOUR §5).
public enum AnswerFault: String, Hashable, Sendable, CaseIterable {
  /// Bytes that are no JSON.
  case garbled
  /// The beginning of the body only.
  case truncated
  /// A 200 that carries an error.
  case errorEnvelope = "error-envelope"
  /// A page of HTML, as a captive portal gives.
  case html
  /// One flag does not decode.
  case undecodableFlag = "undecodable-flag"
  /// One flag is left out; not of an answer of a flags project, in which nothing could tell that from the
  /// truth.
  case missingFlag = "missing-flag"
  /// One flag is named twice, the true one last.
  case duplicateNames = "duplicate-names"
  /// Fields that no client knows.
  case unknownFields = "unknown-fields"
}

/// An answer after something went wrong with it.
public struct SpoiledResponse: Sendable {
  /// The answer.
  public var response: ServiceResponse
  /// Whether the body still carries what was asked for, if not all of it.
  public var isUsable: Bool
  /// The flags that were left out, by their place in the answer.
  public var omitted: [Int]
  /// The flags that do not decode, by their place in the answer.
  public var undecodable: [Int]
}

extension ServiceResponse {
  /// Returns the answer with something gone wrong with its body.
  ///
  /// A fault of a flag changes nothing in an answer that carries none.
  /// - Complexity: O(*n*) in the size of the body.
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - draw: Draws a number from 0 up to but not including its argument.
  /// - Returns: The spoiled answer.
  public func spoiled(by fault: AnswerFault, draw: (UInt64) -> UInt64) -> SpoiledResponse {
    var spoiled = SpoiledResponse(response: self, isUsable: true, omitted: [], undecodable: [])
    switch fault {
    case .garbled:
      spoiled.replaceBody(with: garbledBody(draw))
    case .truncated:
      // At least the last byte is lost, so what is left is no whole JSON; and not all of it, because an
      // answer without a body is another thing.
      let kept = 1 + Int(draw(UInt64(max(1, body.count - 1))))
      spoiled.replaceBody(with: Array(body.prefix(min(kept, max(0, body.count - 1)))))
    case .errorEnvelope:
      spoiled.replaceBody(with: Array(#"{"code":"degraded","error":true}"#.utf8))
      spoiled.response.status = 200
    case .html:
      spoiled.replaceBody(with: Array("<!doctype html><title>Sign in to this network</title>".utf8))
      spoiled.response.status = 200
      spoiled.response.headers = [ServiceField("Content-Type", "text/html; charset=utf-8")]
    case .undecodableFlag, .missingFlag, .duplicateNames:
      spoiled.change(AnswerScan(body), fault, draw)
    case .unknownFields:
      let isEmpty = body.elementsEqual("{}".utf8)
      spoiled.response.body =
        Array(#"{"aFieldOfTomorrow":{"nested":[1,null,"x"]}"#.utf8) + Array((isEmpty ? "" : ",").utf8)
        + body.dropFirst()
    }
    return spoiled
  }

  /// The body with a byte in it that no JSON has, at a drawn place.
  private func garbledBody(_ draw: (UInt64) -> UInt64) -> [UInt8] {
    var bytes = body
    bytes.insert(0xFF, at: Int(draw(UInt64(bytes.count) + 1)))
    return bytes
  }
}

extension SpoiledResponse {
  fileprivate mutating func replaceBody(with bytes: [UInt8]) {
    response.body = bytes
    response.page = nil
    isUsable = false
  }

  /// Changes one drawn flag of an answer.
  fileprivate mutating func change(_ scan: AnswerScan, _ fault: AnswerFault, _ draw: (UInt64) -> UInt64) {
    guard !scan.flags.isEmpty else { return }
    let place = Int(draw(UInt64(scan.flags.count)))
    let flag = scan.flags[place]
    var body = response.body
    switch fault {
    case .undecodableFlag:
      body.replaceSubrange(flag.value, with: scan.shape.undecodable.utf8)
      undecodable = [place]
    case .missingFlag:
      guard scan.shape == .evaluation else { return }
      // With the comma behind it, or, of the last one, the comma before it.
      var range = flag.name.lowerBound..<flag.value.upperBound
      if place + 1 < scan.flags.count {
        range = range.lowerBound..<range.upperBound + 1
      } else if place > 0 {
        range = range.lowerBound - 1..<range.upperBound
      }
      body.removeSubrange(range)
      omitted = [place]
    default:
      let name = Array(body[flag.name])
      let decoy = name + Array(":\(scan.shape.decoy),".utf8)
      body.insert(contentsOf: decoy, at: flag.name.lowerBound)
    }
    response.body = body
  }
}

/// Where the flags stand in a body that this service wrote: `{"flags":{"key":{…},"key":{…}}}`, or, of a flags
/// project, `{"values":{…},…}` and `{"changed":{…},…}`.
private struct AnswerScan {
  /// What a flag looks like.
  enum Shape {
    /// As `POST /api/feature-control/evaluate` answers it.
    case evaluation
    /// As a flags project answers it.
    case project

    /// What stands in for a flag that does not decode.
    var undecodable: String {
      switch self {
      case .evaluation: #"{"enabled":"yes","variant":7}"#
      case .project: #"{"source":7}"#
      }
    }

    /// A flag that decodes and must not count.
    var decoy: String {
      switch self {
      case .evaluation: #"{"enabled":false,"payload":null,"reason":"decoy","variant":"decoy"}"#
      case .project: #"{"source":"default","value":"decoy"}"#
      }
    }
  }

  struct Flag {
    /// The name with its quotes.
    let name: Range<Int>
    /// The object behind the colon.
    let value: Range<Int>
  }

  private(set) var flags: [Flag] = []
  private(set) var shape = Shape.evaluation

  private static let openings: [(text: String, shape: Shape)] = [
    (#"{"flags":{"#, .evaluation), (#"{"values":{"#, .project), (#"{"changed":{"#, .project),
  ]

  init(_ body: [UInt8]) {
    guard let opening = Self.openings.first(where: { body.starts(with: $0.text.utf8) }) else { return }
    shape = opening.shape
    var position = opening.text.utf8.count
    while position < body.count, body[position] == UInt8(ascii: "\"") {
      let nameEnd = Self.endOfString(body, from: position)
      let valueEnd = Self.endOfObject(body, from: nameEnd + 1)
      flags.append(Flag(name: position..<nameEnd, value: nameEnd + 1..<valueEnd))
      position = valueEnd + 1
    }
  }

  private static func endOfString(_ body: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while body[position] != UInt8(ascii: "\"") { position += body[position] == UInt8(ascii: "\\") ? 2 : 1 }
    return position + 1
  }

  private static func endOfObject(_ body: [UInt8], from start: Int) -> Int {
    var depth = 0
    var position = start
    while true {
      switch body[position] {
      case UInt8(ascii: "\""):
        position = endOfString(body, from: position)
        continue
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return position }
    }
  }
}
