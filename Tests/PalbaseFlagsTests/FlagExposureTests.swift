import ClientCore
import Foundation
import Palbase
import PalbaseAnalytics
import PalbaseFlags
import Testing

/// `$flag_exposure` from a read to the batch (seed, Experiments; BEHAVIOUR §3, Exposure).
@Suite struct FlagExposureTests {
  private static let experiment = String.flag("true", "checkout_test", "b")

  /// Allows analytics, uses it once and fills the device with one experiment's flag and one that is none.
  private static func begin(_ stage: Stage) async throws {
    try stage.client.setConsent(.all)
    _ = try stage.client.analytics.counts
    try await stage.fill(1, ["checkout": experiment, "plain": "true"])
  }

  /// What a flush sends, as name, flag, experiment and variant of each event; nil if it sends nothing.
  private static func flushed(_ stage: Stage) async throws -> [[String]]? {
    let analytics = try stage.client.analytics
    // A read tells of its exposure in a task of its own.
    await stage.idle()
    stage.ask { await analytics.flush() }
    guard let request = await stage.pending().first(where: { $0.path.hasSuffix("/analytics/events") }) else {
      return nil
    }
    let body = try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any]
    let events = body?["events"] as? [[String: Any]] ?? []
    try await stage.answer(#"{"accepted":\#(events.count)}"#, status: 202)
    return events.map { event in
      let properties = event["properties"] as? [String: String] ?? [:]
      return [
        event["name"] as? String ?? "", properties["flag"] ?? "", properties["experiment"] ?? "",
        properties["variant"] ?? "",
      ]
    }
  }

  @Test func `one exposure for a session, whatever is read how often`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      for _ in 0..<50 {
        #expect(try stage.flags.bool("checkout", default: false))
        _ = try stage.flags.value("checkout")
        _ = try stage.flags.decode("checkout", as: Bool.self)
        _ = try stage.flags.bool("plain", default: false)
      }
      #expect(try await Self.flushed(stage) == [["$flag_exposure", "checkout", "checkout_test", "b"]])
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage) == nil)
    }
  }

  @Test func `all, source, a default and another type are no exposures`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      _ = try stage.flags.all
      _ = try stage.flags.source("checkout")
      _ = try stage.flags.int("checkout", default: 0)
      _ = try stage.flags.string("checkout", default: "")
      _ = try stage.flags.decode("checkout", as: [String].self)
      _ = try stage.flags.bool("absent", default: true)
      #expect(try await Self.flushed(stage) == nil)
    }
  }

  @Test func `without consent nothing is recorded, nor made up for later`() {
    play(Setup(user: .anna)) { stage in
      _ = try stage.client.analytics.counts
      try await stage.fill(1, ["checkout": Self.experiment])
      _ = try stage.flags.bool("checkout", default: false)
      try stage.client.setConsent(.all)
      #expect(try await Self.flushed(stage) == nil)
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
    }
  }

  @Test func `before analytics was used nothing is recorded or marked`() {
    play(Setup(user: .anna)) { stage in
      try stage.client.setConsent(.all)
      try await stage.fill(1, ["checkout": Self.experiment])
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage) == nil)
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
    }
  }

  // PostHog/posthog-ios#405: after each reload an event came for a value that had not changed.
  @Test func `a refresh and another variant inside the session stay silent`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
      try stage.refresh()
      try await stage.answer(.delta(since: 1, 2, ["checkout": .flag("false", "checkout_test", "a")]))
      #expect(try !stage.flags.bool("checkout", default: true))
      #expect(try await Self.flushed(stage) == nil)
    }
  }

  // Eppo-exp/eppo-ios-sdk PR#34: the key of what was recorded left out what tells two exposures apart.
  @Test func `another experiment on the flag is another exposure`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
      try stage.refresh()
      try await stage.answer(.delta(since: 1, 2, ["checkout": .flag("true", "second_test", "b")]))
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage) == [["$flag_exposure", "checkout", "second_test", "b"]])
    }
  }

  // PostHog/posthog-js PR#3241: what was seen once was never told again.
  @Test func `a new session tells it again`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
      try await stage.pass(.seconds(31 * 60))
      _ = try stage.flags.bool("checkout", default: false)
      #expect(try await Self.flushed(stage)?.count == 1)
    }
  }

  // DataDog/dd-sdk-ios PR#3167: one user's value was logged as an exposure of the next.
  @Test func `an exposure goes under the credential of the reader who saw the value`() {
    play(Setup(user: .anna)) { stage in
      try await Self.begin(stage)
      _ = try stage.flags.bool("checkout", default: false)
      await stage.idle()
      try stage.client.signIn(.ben)
      #expect(try !stage.flags.bool("checkout", default: false))
      try await stage.answer(.snapshot(1, ["checkout": Self.experiment]))
      _ = try stage.flags.bool("checkout", default: false)
      await stage.idle()
      let analytics = try stage.client.analytics
      stage.ask { await analytics.flush() }
      var credentials: [String?] = []
      for _ in 0..<2 {
        credentials.append(try await stage.request().header("Authorization"))
        try await stage.answer(#"{"accepted":1}"#, status: 202)
      }
      #expect(credentials == ["Bearer token-anna", "Bearer token-ben"])
    }
  }
}
