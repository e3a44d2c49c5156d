import Foundation
import Metrics

// Reading `failure.json`. Foundation checks that the text is JSON and gives the plain members. It keeps no order of
// an object's members, and the order of a scenario's groups has a meaning, so the scenario is cut out of the text as
// it stands.

extension FailureFile {
  /// Reads the content of a failure file.
  ///
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameter bytes: The bytes of the file.
  /// - Throws: All problems of the content, if it is no failure file of this version.
  public init(bytes: [UInt8]) throws(FailureFileError) {
    guard let parsed = try? JSONSerialization.jsonObject(with: Data(bytes)),
      let members = parsed as? [String: Any]
    else {
      throw FailureFileError(problems: [
        "this is no JSON object; give a failure.json that a run of simulate has written"
      ])
    }
    var reader = MemberReader(members: members)
    let version = reader.integer("schemaVersion")
    if let version, version != Int64(FailureFile.currentSchemaVersion) {
      throw FailureFileError(problems: [
        "\"schemaVersion\" is \(version), this version reads \(FailureFile.currentSchemaVersion); "
          + "use the version of simulate that has written the file"
      ])
    }
    var toolReader = reader.object("tool")
    let tool = RunResult.Tool(version: toolReader.string("version"), build: toolReader.string("build"))
    var violationReader = reader.object("violation")
    let invariant = violationReader.string("id")
    let violation = InvariantResult.Violation(
      nanoseconds: violationReader.integer("time_ns") ?? 0,
      step: violationReader.optionalInteger("step").map { UInt64(clamping: $0) },
      reader: violationReader.optionalInteger("reader").map { Int($0) },
      instance: violationReader.optionalInteger("instance").map { Int($0) },
      message: violationReader.string("message"),
      replay: violationReader.optionalString("replay")
    )
    let seed = reader.integer("seed") ?? 0
    if seed < 0 { reader.report("\"seed\" is negative; it lies between 0 and 9007199254740991") }
    _ = reader.object("scenario")
    self.init(
      tool: tool,
      scenarioJSON: FailureFile.lastMember("scenario", of: bytes) ?? "",
      seed: UInt64(clamping: seed),
      overrides: reader.strings("overrides"),
      command: reader.string("command"),
      invariant: invariant,
      violation: violation,
      digest: reader.string("digest"),
      events: reader.strings("events"),
      choices: reader.string("choices")
    )
    let problems = reader.problems + toolReader.problems + violationReader.problems
    guard problems.isEmpty else { throw FailureFileError(problems: problems) }
  }

  /// Throws unless a text is a JSON object.
  static func checkIsObject(_ text: String) throws(FailureFileError) {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)), value is [String: Any] else {
      throw FailureFileError(problems: [
        "the scenario to be kept is no JSON object; give its canonical JSON text"
      ])
    }
  }

  /// Returns the text of a member of the object that the bytes are; of several with one name the last, as Foundation
  /// does.
  ///
  /// The bytes must be valid JSON: then brackets and quotes are all that needs counting.
  private static func lastMember(_ name: String, of bytes: [UInt8]) -> String? {
    var found: String?
    var depth = 0
    var isInString = false
    var isEscaped = false
    // Where the current member's name, and then its value, begins.
    var begin = 0
    var currentName = ""
    for (position, byte) in bytes.enumerated() {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: ":") where depth == 1:
        currentName = trimmedText(bytes[begin..<position])
        begin = position + 1
      case UInt8(ascii: ","), UInt8(ascii: "}"):
        if depth == 1, currentName == "\"\(name)\"" { found = trimmedText(bytes[begin..<position]) }
        if depth == 1 { (begin, currentName) = (position + 1, "") }
        if byte == UInt8(ascii: "}") { depth -= 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 1 { begin = position + 1 }
      case UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return found
  }

  private static func trimmedText(_ bytes: ArraySlice<UInt8>) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let start = bytes.drop(while: isSpace)
    let end = start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }
}

/// Takes members out of an object and keeps a note of each that is missing or of another type.
private struct MemberReader {
  let members: [String: Any]
  var path = ""
  private(set) var problems: [String] = []

  init(members: [String: Any], path: String = "") {
    self.members = members
    self.path = path
  }

  mutating func report(_ problem: String) { problems.append(problem) }

  private mutating func take<Value>(_ name: String, _ typeName: String, _ read: (Any) -> Value?) -> Value? {
    guard let member = members[name] else {
      report("\"\(path)\(name)\" is missing; give a failure.json as simulate has written it")
      return nil
    }
    guard let value = read(member) else {
      report("\"\(path)\(name)\" is not \(typeName); give a failure.json as simulate has written it")
      return nil
    }
    return value
  }

  mutating func string(_ name: String) -> String { take(name, "a string") { $0 as? String } ?? "" }

  mutating func strings(_ name: String) -> [String] {
    take(name, "a list of strings") { $0 as? [String] } ?? []
  }

  mutating func integer(_ name: String) -> Int64? { take(name, "a whole number") { $0 as? Int64 } }

  mutating func optionalString(_ name: String) -> String? {
    members[name] is NSNull ? nil : take(name, "a string or null") { $0 as? String }
  }

  mutating func optionalInteger(_ name: String) -> Int64? {
    members[name] is NSNull ? nil : take(name, "a whole number or null") { $0 as? Int64 }
  }

  mutating func object(_ name: String) -> MemberReader {
    let members = take(name, "an object") { $0 as? [String: Any] }
    // An empty reader would report each of its members as missing, on top of the object.
    return MemberReader(members: members ?? [:], path: "\(path)\(name).")
  }
}
