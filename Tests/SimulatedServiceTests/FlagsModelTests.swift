import Foundation
import SimulatedService
import Testing

/// Random lives of a project and its readers: what the answers make of a held record is what a snapshot would
/// give.
///
/// The devices here read the bodies with Foundation and know nothing of the service's types, so that the
/// service is not its own witness.
@Suite struct FlagsModelTests {
  /// A device that follows the table of BEHAVIOUR §3.
  private struct Device {
    var app: FlagsApp
    var values: [String: NSDictionary] = [:]
    var version: Int64 = 0
    var etag: String?
    var hasBase = false

    /// Whether the reader has another device.
    var hasTwin = false

    /// Changes the device's language.
    ///
    /// A client knows by itself that what it holds is no base then. One that is alone may find out from the
    /// service; of a reader's devices, the service remembers what the last one said.
    mutating func turn(to language: String) {
      guard app.context.language != language else { return }
      app.context.language = language
      guard hasTwin else { return }
      hasBase = false
      etag = nil
    }

    /// Brings the device up to date, and returns which answers did it.
    mutating func sync(_ project: inout FlagsProject, at now: Int64) throws -> [String] {
      var answers: [String] = []
      if hasBase {
        let response = project.respond(to: app.delta(since: version), at: now).response
        switch response.status {
        case 200:
          let object = try response.object()
          #expect((object["since"] as? NSNumber)?.int64Value == version)
          for (key, flag) in try #require(object["changed"] as? [String: NSDictionary]) { values[key] = flag }
          for key in try #require(object["deleted"] as? [String]) {
            #expect(values.removeValue(forKey: key) != nil, "\(key) was not held")
          }
          move(to: try #require((object["version"] as? NSNumber)?.int64Value))
          etag = nil
          return ["delta"]
        case 304: return ["same delta"]
        default:
          answers.append(try #require(try response.object()["reason"] as? String))
          hasBase = false
        }
      }
      let response = project.respond(to: app.snapshot(ifNoneMatch: etag), at: now).response
      if response.status == 304 {
        move(to: try #require(response.header("X-Flags-Version").flatMap { Int64($0) }))
        answers.append("same snapshot")
      } else {
        let object = try response.object()
        values = try #require(object["values"] as? [String: NSDictionary])
        move(to: try #require((object["version"] as? NSNumber)?.int64Value))
        etag = response.header("ETag")
        answers.append("snapshot")
      }
      hasBase = true
      return answers
    }

    private mutating func move(to newVersion: Int64) {
      #expect(newVersion >= version)
      version = newVersion
    }
  }

  private static let users = ["u0", "u1", "u2"]
  private static let keys = ["k0", "k1", "k2", "k3", "k4", "k5"]

  private static func devices() -> [Device] {
    var devices = users.map { Device(app: .user($0)) }
    devices += [Device(app: .install("i0")), Device(app: .install("i1"))]
    // A second device of the first user.
    devices[0].hasTwin = true
    devices.append(devices[0])
    return devices
  }

  /// Does something to the project.
  private static func operate(
    _ project: inout FlagsProject, _ now: inout Int64, _ random: inout Random
  ) -> [FlagsNotice] {
    let key = keys[random.next(keys.count)]
    let user = users[random.next(users.count)]
    let reader = random.next(4) == 0 ? FlagsReader.install("i0") : .user(user)
    switch random.next(12) {
    case 0: return project.publish()
    case 1: return project.publish(keys: [key, keys[random.next(keys.count)]])
    case 2: return project.delete(key)
    case 3:
      let condition = FlagCondition([.percentile(below: random.next(101))], value: .string("in"))
      return project.define(FlagDefinition(key: key, value: .string("defined"), conditions: [condition]))
    case 4: return project.rollBack()
    case 5: return project.giveUser(user, key: key, value: .number(Double(random.next(3))))
    case 6: return project.takeUser(user, key: key)
    case 7: return project.startExperiment(key)
    case 8: return project.stopExperiment(key)
    case 9:
      return project.changeAudience(
        "fans", of: reader, isMember: random.next(2) == 0, isAnnounced: random.next(2) == 0)
    case 10:
      return project.setConsent(
        of: reader, personalization: random.next(2) == 0, isAnnounced: random.next(2) == 0)
    default:
      now += Int64(random.next(5))
      return project.advance(to: now)
    }
  }

  @Test func `what a device holds after any answer is what a snapshot would give it`() throws {
    var seen: [String: Int] = [:]
    for seed in 0..<60 {
      var random = Random(state: UInt64(seed))
      var project = FlagsProject(
        FlagsPlan(
          seed: UInt64(seed), flags: 14, keys: Self.keys, experiments: ["k1"], audiences: ["fans"],
          windows: [ClockWindow(from: 20, until: 60), ClockWindow(from: 35, until: 36)], deletionsKept: 6))
      var devices = Self.devices()
      var now: Int64 = 0
      for _ in 0..<120 {
        let before = project.version
        let notices = Self.operate(&project, &now, &random)
        #expect(project.version >= before)
        #expect(notices.isEmpty == (project.version == before))
        #expect(notices.allSatisfy { $0.version > before && $0.version <= project.version })
        let place = random.next(devices.count)
        if random.next(15) == 0 { devices[place].turn(to: ["de", "en"][random.next(2)]) }
        if random.next(40) == 0 { project.rotateETags() }
        guard random.next(3) > 0 else { continue }
        for answer in try devices[place].sync(&project, at: now) { seen[answer, default: 0] += 1 }
        // A copy is asked, so that asking leaves no trace.
        var copy = project
        let fresh = try copy.respond(to: devices[place].app.snapshot(), at: now).response.object()
        #expect(fresh["values"] as? [String: NSDictionary] == devices[place].values, "seed \(seed)")
        #expect((fresh["version"] as? NSNumber)?.int64Value == devices[place].version)
      }
    }
    for answer in [
      "delta", "same delta", "snapshot", "same snapshot", "context_changed", "audiences_changed",
      "deletions_expired",
    ] {
      #expect(seen[answer] ?? 0 > 10, "\(answer) was met \(seen[answer] ?? 0) times")
    }
  }

  @Test func `a delta from any kept version leads from the snapshot of it to the present one`() throws {
    for seed in 100..<110 {
      var random = Random(state: UInt64(seed))
      var project = FlagsProject(
        FlagsPlan(seed: UInt64(seed), flags: 12, keys: Self.keys, deletionsKept: 1000))
      var now: Int64 = 0
      let apps = [FlagsApp.user("u0"), .user("u1"), .install("i1")]
      var held: [[Int64: [String: NSDictionary]]] = apps.map { _ in [:] }
      for _ in 0..<60 {
        _ = Self.operate(&project, &now, &random)
        for (place, app) in apps.enumerated() {
          let object = try project.respond(to: app.snapshot(), at: now).response.object()
          let version = try #require((object["version"] as? NSNumber)?.int64Value)
          held[place][version] = try #require(object["values"] as? [String: NSDictionary])
        }
      }
      for (place, app) in apps.enumerated() {
        let present = try #require(held[place][project.version])
        for (version, old) in held[place].sorted(by: { $0.key < $1.key }) where version < project.version {
          var values = old
          let answer = project.respond(to: app.delta(since: version), at: now)
          let object = try answer.response.object()
          for (key, flag) in try #require(object["changed"] as? [String: NSDictionary]) {
            #expect(values.updateValue(flag, forKey: key) != flag, "\(key) did not change")
          }
          for key in try #require(object["deleted"] as? [String]) { values[key] = nil }
          #expect(values == present, "seed \(seed), version \(version)")
        }
      }
    }
  }
}

/// A small generator, the same on every machine.
private struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
