import Foundation

extension JSONValue {
  /// The class of `JSONSerialization`'s truth values; its numbers are of another one, although both bridge to `Bool`.
  private static let truthClass: AnyClass = type(of: NSNumber(value: true))

  /// Creates a value from what `JSONSerialization` gave.
  ///
  /// The result is nil if the object is not made of JSON's types.
  /// - Complexity: O(n) in the size of the value.
  /// - Parameter value: The object, of any depth.
  public init?(foundation value: Any) {
    switch value {
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let number as NSNumber:
      self = type(of: number) == Self.truthClass ? .bool(number.boolValue) : .number(number.doubleValue)
    case let list as [Any]:
      var elements: [JSONValue] = []
      elements.reserveCapacity(list.count)
      for item in list {
        guard let element = JSONValue(foundation: item) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case let object as [String: Any]:
      var members: [String: JSONValue] = [:]
      members.reserveCapacity(object.count)
      for (name, item) in object {
        guard let member = JSONValue(foundation: item) else { return nil }
        members[name] = member
      }
      self = .object(members)
    default: return nil
    }
  }

  /// Whether the value can be written as JSON: it holds no infinite or undefined number.
  ///
  /// - Complexity: O(n) in the size of the value.
  public var isWritable: Bool {
    switch self {
    case .null, .bool, .string: true
    case .number(let value): value.isFinite
    case .array(let elements): elements.allSatisfy(\.isWritable)
    case .object(let members): members.values.allSatisfy(\.isWritable)
    }
  }
}
