import Foundation

/// A value of JSON, as the attributes of a context hold it.
///
/// Numbers are doubles: 1 and 1.0 are one value, and whole numbers are told apart up to 2⁵³.
public indirect enum AttributeValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([AttributeValue])
  /// Values by name.
  case object([String: AttributeValue])

  /// Creates the value that `JSONSerialization` read; nil for what is none of JSON's.
  init?(parsed value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let values as [Any]:
      var elements: [AttributeValue] = []
      for value in values {
        guard let element = AttributeValue(parsed: value) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case let values as [String: Any]:
      var members: [String: AttributeValue] = [:]
      for (name, value) in values {
        guard let member = AttributeValue(parsed: value) else { return nil }
        members[name] = member
      }
      self = .object(members)
    case is NSNull: self = .null
    case let number as NSNumber:
      self = Self.isBool(number) ? .bool(number.boolValue) : .number(number.doubleValue)
    default: return nil
    }
  }

  /// Writes the value with sorted names, so that equal values have equal bytes.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let value): writer.number(value)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        writer.name(name)
        member.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// A number and a truth value are one class to Foundation, and a cast takes 0 and 1 for either; but there
  /// are only two objects that are truth values.
  private static func isBool(_ number: NSNumber) -> Bool {
    number === NSNumber(value: true) || number === NSNumber(value: false)
  }
}
