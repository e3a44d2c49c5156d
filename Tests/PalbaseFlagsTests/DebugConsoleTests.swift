import ClientCore
import Palbase
import PalbaseFlags
import Testing

/// The debug console (seed, "The debug console"; BEHAVIOUR §3).
@Suite struct DebugConsoleTests {
  private static let key = "palbase.debug_console"

  @Test func `a user's own value opens it, and it goes when the value is taken away`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, ["a": "1"])
      #expect(try stage.flags.debugConsole == nil)
      try stage.refresh()
      try await stage.answer(.delta(since: 1, 2, [Self.key: .flag("true", "user")]))
      #expect(try stage.flags.debugConsole != nil)
      #expect(try stage.flags.status.opensConsole)
      try stage.refresh()
      try await stage.answer(.delta(since: 2, 3, [Self.key: .flag("false", "default")]))
      #expect(try stage.flags.debugConsole == nil)
      #expect(try !stage.flags.status.opensConsole)
    }
  }

  @Test(arguments: ["default", "condition", "something-new"])
  func `no other source opens it`(source: String) {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, [Self.key: .flag("true", source)])
      #expect(try stage.flags.bool(Self.key, default: false))
      #expect(try stage.flags.debugConsole == nil)
    }
  }

  @Test func `an experiment does not open it`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, [Self.key: .flag("true", "console_test", "b")])
      #expect(try stage.flags.debugConsole == nil)
    }
  }

  @Test(arguments: ["false", "1", "\"true\""])
  func `an own value other than true does not open it`(value: String) {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, [Self.key: .flag(value, "user")])
      #expect(try stage.flags.debugConsole == nil)
    }
  }

  @Test func `a change of reader closes it at once`() {
    play(Setup(user: .anna)) { stage in
      try await stage.fill(1, [Self.key: .flag("true", "user")])
      #expect(try stage.flags.debugConsole != nil)
      try stage.client.signIn(.ben)
      #expect(try stage.flags.debugConsole == nil)
    }
  }

  @Test func `it shows values, versions, sources, the last sync and what is under way`() {
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      try await stage.fill(
        7,
        [
          "b": .flag("\"text\"", "condition"), "a": .flag("2", "price_test", "high"),
          Self.key: .flag("true", "user"),
        ])
      try await stage.pass(.seconds(5))
      try stage.refresh()
      _ = try await stage.request()
      let console = try #require(try stage.flags.debugConsole)
      #expect(console.rows.map(\.key) == ["a", "b", Self.key])
      #expect(console.status.version == 7)
      #expect(
        console.text == """
          flags: 3, version 7, last sync 5.0 seconds ago
          queue: a fetch under way, 1 refresh waiting, no write
          counts: 0 flags skipped, 0 records discarded, 0 writes failed
          a = 2 (experiment price_test/high)
          b = "text" (condition)
          palbase.debug_console = true (user)

          """)
      try await stage.answerUnchanged()
    }
  }
}
