/// A JSON value that knows where it was written.
///
/// Members keep their order, numbers their text: nothing is rounded before somebody asks for a number.
package struct JSONValue: Sendable, Equatable {
  /// What the value is.
  package enum Content: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, in its own spelling.
    case number(String)
    /// A string, with its escapes resolved.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, its members in the order of the text.
    case object([JSONMember])
  }

  /// What the value is.
  package var content: Content
  /// Where it was written.
  package var origin: JSONOrigin

  /// Creates a value.
  package init(_ content: Content, origin: JSONOrigin = .none) {
    self.content = content
    self.origin = origin
  }

  /// What kind of value it is, in words for a message.
  package var kindName: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A key of an object with its value.
package struct JSONMember: Sendable, Equatable {
  /// The key, with its escapes resolved.
  package var key: String
  /// Where the key was written.
  package var keyOrigin: JSONOrigin
  /// The value.
  package var value: JSONValue

  /// Creates a member.
  package init(_ key: String, _ value: JSONValue, keyOrigin: JSONOrigin = .none) {
    self.key = key
    self.keyOrigin = keyOrigin
    self.value = value
  }
}

/// Where a value was written.
package enum JSONOrigin: Sendable, Equatable {
  /// Nowhere: it was made by the program.
  case none
  /// In the file, at this byte.
  case file(offset: Int)
  /// In the command line's override with this number.
  case option(index: Int)
}

/// Why a text is not JSON.
package struct JSONSyntaxError: Error, Sendable, Equatable {
  /// The byte at which it is noticed.
  package let offset: Int
  /// What is wrong.
  package let message: String
  /// The remedy; nil if the message says it all.
  package let suggestion: String?

  init(_ message: String, at offset: Int, suggestion: String? = nil) {
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
  }
}

/// A key that stands in one object twice.
package struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  package let key: String
  /// The byte at which the later one begins.
  package let offset: Int
  /// The byte at which the first one begins.
  package let firstOffset: Int
}
