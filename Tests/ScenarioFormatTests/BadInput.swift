import Foundation
import ScenarioFormat
import Testing

/// A file with mistakes, and what is said about them.
struct BadInput: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var lines: [String]
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ lines: String...) {
    self.name = name
    self.text = text
    self.lines = lines
  }

  /// A change to the smallest scenario; the messages are those without their place.
  static func change(_ name: String, _ old: String, _ new: String, _ lines: String...) -> BadInput {
    var input = BadInput(name, Sample.smallest(old, new))
    input.lines = lines
    return input
  }

  /// An addition to the smallest scenario; the messages are those without their place.
  static func add(_ members: String, _ lines: String...) -> BadInput {
    var input = BadInput(members, Sample.smallest(adding: members))
    input.lines = lines
    return input
  }

  /// Another body for the group of the smallest scenario.
  static func group(_ body: String, _ lines: String...) -> BadInput {
    var input = BadInput(
      body,
      Sample.smallest(
        "\"executor\": \"per-reader-iterations\", \"readers\": 10, \"do\": [\"evaluate\"]",
        body
      )
    )
    input.lines = lines
    return input
  }

  /// Other steps for the group of the smallest scenario.
  static func steps(_ steps: String, _ lines: String...) -> BadInput {
    var input = BadInput(steps, Sample.smallest("\"do\": [\"evaluate\"]", "\"do\": \(steps)"))
    input.lines = lines
    return input
  }
}

extension BadInput {
  /// The same with more members.
  func adding(_ members: String, _ lines: String...) -> BadInput {
    var input = self
    input.text = text.replacingOccurrences(of: "\"description\"", with: members + ", \"description\"")
    input.lines = lines
    return input
  }
}
