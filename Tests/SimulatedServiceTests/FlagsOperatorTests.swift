import SimulatedService
import Testing

/// What the people who run a project do with it: versions, notices, rolling back, the clock.
@Suite struct FlagsOperatorTests {
  private var project = FlagsProject(
    FlagsPlan(seed: 2, keys: ["bool", "text", "whole", "fraction", "object"], hasConditions: false))
  private static let reader = FlagsReader.user("ada")
  private static let context = ReaderContext(platform: "ios", appVersion: "1", language: "en")

  private var values: [AttributeValue] {
    project.resolve(Self.reader, Self.context, at: 0).map(\.value)
  }

  private static func told(_ notices: [FlagsNotice]) -> [String] {
    notices.map { "\($0.topic) \($0.version)" }
  }

  @Test mutating func `publishing renews every type of default and tells everybody`() {
    let before = values
    #expect(Self.told(project.publish(keys: project.keys)) == ["flags:project 2"])
    #expect(zip(values, before).allSatisfy { $0 != $1 })
    let kinds = values.map { value in
      switch value {
      case .bool: "bool"
      case .number: "number"
      case .object: "object"
      case .string: "text"
      case .array, .null: "other"
      }
    }
    #expect(kinds == ["bool", "number", "object", "text", "number"])
  }

  @Test mutating func `publishing nothing in particular changes one flag`() {
    for _ in 0..<20 {
      let before = values
      #expect(project.publish().count == 1)
      #expect(zip(values, before).count { $0 != $1 } == 1)
    }
    #expect(project.version == 21)
  }

  @Test mutating func `what changes nothing makes no version`() throws {
    let flag = try #require(project.definition(of: "text"))
    #expect(project.publish(keys: []) == [])
    #expect(project.publish(keys: ["nobody"]) == [])
    #expect(project.define(flag) == [])
    #expect(project.delete("nobody") == [])
    #expect(project.rollBack() == [])
    #expect(project.takeUser("ada", key: "text") == [])
    #expect(project.giveUser("ada", key: "nobody", value: .null) == [])
    #expect(project.startExperiment("nobody") == [])
    #expect(project.stopExperiment("text") == [])
    #expect(project.version == 1)
    #expect(project.giveUser("ada", key: "text", value: .null).count == 1)
    #expect(project.giveUser("ada", key: "text", value: .null) == [])
    #expect(project.startExperiment("text").count == 1)
    #expect(project.startExperiment("text") == [])
    #expect(project.version == 3)
    var empty = FlagsProject(FlagsPlan())
    #expect(empty.publish() == [])
  }

  @Test mutating func `a user's own value is told to the user only`() {
    #expect(Self.told(project.giveUser("ada", key: "text", value: .null)) == ["flags:reader:ada 2"])
    #expect(Self.told(project.takeUser("ada", key: "text")) == ["flags:reader:ada 3"])
  }

  @Test mutating func `rolling back brings old flags under a new version, one change further each time`() {
    var contents = [values]
    _ = project.publish(keys: ["text"])
    contents.append(values)
    _ = project.delete("text")
    contents.append(values)
    _ = project.startExperiment("whole")
    #expect(Self.told(project.rollBack()) == ["flags:project 5"])
    #expect(values == contents[2])
    #expect(Self.told(project.rollBack()) == ["flags:project 6"])
    #expect(values == contents[1])
    #expect(Self.told(project.rollBack()) == ["flags:project 7"])
    #expect(values == contents[0])
    #expect(project.rollBack() == [])
  }

  @Test mutating func `a publish after rolling back gives values that never were`() {
    let first = values
    _ = project.publish(keys: ["text"])
    let second = values
    _ = project.rollBack()
    #expect(values == first)
    _ = project.publish(keys: ["text"])
    #expect(values != second && values != first)
    _ = project.rollBack()
    #expect(values == first)
  }

  @Test mutating func `rolling back leaves readers their own values`() {
    _ = project.publish(keys: ["text"])
    _ = project.giveUser("ada", key: "text", value: .string("mine"))
    _ = project.rollBack()
    #expect(values.contains(.string("mine")))
    _ = project.delete("text")
    #expect(!values.contains(.string("mine")))
    _ = project.rollBack()
    #expect(values.contains(.string("mine")))
  }

  // MARK: The clock

  private static func timed(_ windows: [ClockWindow]) -> FlagsProject {
    var project = FlagsProject(FlagsPlan(startsAt: 100))
    for (number, window) in windows.enumerated() {
      _ = project.define(
        FlagDefinition(
          key: "f\(number)", value: .bool(false),
          conditions: [FlagCondition([.clock(window)], value: .bool(true))]))
    }
    return project
  }

  @Test func `the next boundary is the first at which a condition turns`() {
    let project = Self.timed([
      ClockWindow(from: 150, until: 300), ClockWindow(from: 50, until: 200),
      ClockWindow(from: 7, until: .max),
      ClockWindow(from: 160, until: 160),
    ])
    let boundaries = [100, 149, 150, 199, 200, 299, 300].map { project.nextBoundary(after: $0) }
    #expect(boundaries == [150, 150, 200, 200, 300, 300, nil])
    #expect(project.nextBoundary(after: 0) == 150, "the clock does not go back")
    #expect(FlagsProject(FlagsPlan(flags: 20)).nextBoundary(after: 0) == nil)
  }

  @Test func `each boundary is a version of its own, told to everybody`() {
    var project = Self.timed([ClockWindow(from: 150, until: 300), ClockWindow(from: 150, until: 200)])
    let before = project.version
    #expect(project.advance(to: 149) == [])
    #expect(Self.told(project.advance(to: 150)) == ["flags:project \(before + 1)"])
    #expect(project.advance(to: 150) == [])
    #expect(
      Self.told(project.advance(to: 1000)) == ["flags:project \(before + 2)", "flags:project \(before + 3)"])
    #expect(project.advance(to: 0) == [])
    #expect(project.version == before + 3)
  }

  @Test func `a request passes boundaries, and their notices wait for the next advance`() throws {
    var project = Self.timed([ClockWindow(from: 150, until: 300)])
    let app = FlagsApp.user("ada")
    #expect(try project.respond(to: app.snapshot(), at: 149).flags("values") == ["f0=0 default"])
    let version = project.version
    let answer = project.respond(to: app.delta(since: version), at: 150)
    #expect(try answer.flags("changed") == ["f0=1 condition"])
    #expect(answer.bodyVersion == version + 1)
    #expect(Self.told(project.advance(to: 150)) == ["flags:project \(version + 1)"])
    #expect(project.advance(to: 151) == [])
    let late = project.respond(to: app.snapshot(), at: 151, lag: 1)
    #expect(try late.flags("values") == ["f0=0 default"], "a replica that lags has not passed it")
  }

  @Test func `the versions of two boundaries differ by what turned between them`() throws {
    var project = Self.timed([ClockWindow(from: 150, until: 300), ClockWindow(from: 160, until: 300)])
    let app = FlagsApp.user("ada")
    _ = project.respond(to: app.snapshot(), at: 100)
    let version = project.version
    _ = project.advance(to: 160)
    #expect(
      try project.respond(to: app.delta(since: version + 1), at: 160).flags("changed") == ["f1=1 condition"])
    _ = project.advance(to: 300)
    let answer = project.respond(to: app.delta(since: version), at: 300)
    #expect(answer.truth.kind == .delta(since: version, changed: [], deleted: []))
  }
}
