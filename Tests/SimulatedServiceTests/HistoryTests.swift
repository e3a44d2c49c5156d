import Foundation
import SimulatedService
import Testing

/// What versions mean: publishing, rolling back, replicas that lag, and the checks by which a value is known again.
@Suite struct HistoryTests {
  private var service = FeatureControlService(flags: 60, keys: ["fc.a"], seed: 3)
  private static let reader = EvaluationContext(subjectType: "customer", subjectId: "s1")

  /// What the reader sees of every flag.
  private func content() -> [String] {
    service.keys.map { key in
      guard let flag = service.truth(key: key, environment: "production", context: Self.reader) else {
        return "-"
      }
      return "\(key) \(flag.isEnabled) \(flag.variant ?? "-") \(flag.reason)"
    }
  }

  private static func read(_ response: ServiceResponse) throws -> (content: [String], versions: Set<Int>) {
    let flags = try #require(try response.object()["flags"] as? [String: [String: Any]])
    var versions: Set<Int> = []
    let content = try flags.keys.sorted().map { key in
      let flag = try #require(flags[key])
      versions.insert(try #require((flag["payload"] as? [String: Int])?["version"]))
      let enabled = try #require(flag["enabled"] as? Bool)
      let reason = try #require(flag["reason"] as? String)
      return "\(key) \(enabled) \(flag["variant"] as? String ?? "-") \(reason)"
    }
    return (content, versions)
  }

  // MARK: Rolling back

  @Test mutating func `rolling back brings the old content under a new version`() {
    let first = content()
    service.publish()
    let second = content()
    #expect(first != second)
    #expect(service.rollBack() == 3)
    #expect(service.version == 3)
    #expect(content() == first)
  }

  @Test mutating func `rolling back again goes one publish further each time`() {
    var contents = [content()]
    for _ in 0..<4 {
      service.publish()
      contents.append(content())
    }
    for expected in contents.dropLast().reversed() {
      service.rollBack()
      #expect(content() == expected)
    }
    #expect(service.version == 9)
    #expect(service.rollBack() == 10, "with nothing to go back to the version moves all the same")
    #expect(content() == contents[0])
  }

  @Test mutating func `a publish after rolling back is rolled back to what was before it`() {
    service.publish()
    service.rollBack()
    let before = content()
    service.publish()
    service.rollBack()
    #expect(content() == before)
  }

  @Test mutating func `only what rolling back changes is of its version`() throws {
    service.publish()
    let before = service
    service.rollBack()
    for key in service.keys {
      let old = try #require(before.truth(key: key, environment: "e", context: Self.reader))
      let new = try #require(service.truth(key: key, environment: "e", context: Self.reader))
      let differs = old.isEnabled != new.isEnabled || old.variant != new.variant
      #expect((new.changedAt == 3) == differs, "\(key)")
      if !differs { #expect(new.changedAt == old.changedAt) }
    }
  }

  // MARK: Lagging

  @Test mutating func `a replica that lags answers with an earlier version and its content`() throws {
    var contents = [content()]
    for _ in 0..<5 {
      service.publish()
      contents.append(content())
    }
    service.rollBack()
    contents.append(content())
    let request = Requests.evaluate(service.keys.sorted())
    for lag in 0...6 {
      let (seen, versions) = try Self.read(service.respond(to: request, lagging: lag))
      #expect(seen == contents[6 - lag].sorted(), "lag \(lag)")
      #expect(versions == [7 - lag])
    }
    #expect(service.version == 7, "the service itself does not lag")
  }

  @Test mutating func `a replica lags no further than what is remembered`() throws {
    let request = Requests.evaluate(["fc.a"])
    #expect(try Self.read(service.respond(to: request, lagging: 9)).versions == [1])
    service.publish()
    #expect(try Self.read(service.respond(to: request, lagging: 9)).versions == [1])
    for _ in 0..<100 { service.publish() }
    #expect(try Self.read(service.respond(to: request, lagging: 64)).versions == [102 - 64])
    #expect(try Self.read(service.respond(to: request, lagging: 1000)).versions == [102 - 64])
  }

  @Test mutating func `lagging is about evaluating only`() {
    var other = service
    service.publish()
    other.publish()
    for request in [Requests.page(), Requests.markAllRead(), Requests.exposures([Requests.exposure(1)])] {
      #expect(service.respond(to: request, lagging: 1) == other.respond(to: request))
    }
  }

  // MARK: Checks

  @Test mutating func `every flag of an answer carries the check of what it says`() throws {
    for _ in 0..<3 {
      let response = service.respond(to: Requests.evaluate(service.keys.sorted()))
      let flags = try #require(try response.object()["flags"] as? [String: [String: Any]])
      #expect(flags.count == 60)
      for key in flags.keys.sorted() {
        let flag = try #require(flags[key])
        let payload = try #require(flag["payload"] as? [String: Int])
        let check = FeatureControlService.check(
          key: key, enabled: try #require(flag["enabled"] as? Bool), variant: flag["variant"] as? String,
          reason: try #require(flag["reason"] as? String), serial: UInt64(try #require(payload["serial"])),
          version: Int64(try #require(payload["version"])))
        #expect(payload["check"] == Int(check), "\(key)")
      }
      service.publish()
    }
  }

  @Test func `anything else that is said has another check`() {
    func check(
      _ key: String = "k", _ enabled: Bool = true, _ variant: String? = "v", _ reason: String = "r",
      _ serial: UInt64 = 1, _ version: Int64 = 1
    ) -> UInt32 {
      FeatureControlService.check(
        key: key, enabled: enabled, variant: variant, reason: reason, serial: serial, version: version)
    }
    let checks = [
      check(), check("l"), check("k", false), check("k", true, nil), check("k", true, ""),
      check("k", true, "w"),
      check("k", true, "v", "s"), check("k", true, "v", "r", 2), check("k", true, "v", "r", 1, 2),
      check("k", true, "vr", ""), check("kv", true, "", "r"), check("k", true, "", "vr"),
    ]
    #expect(Set(checks).count == checks.count)
    #expect(check() == check())
  }
}
