import ClientCore
import Palbase
import PalbaseFlags
import Testing

private struct Theme: Decodable, Equatable { let accent: String }

@Suite struct ReadTests {
  @Test func `each kind of value is read by its own read`() {
    play { stage in
      try await stage.fill(
        1,
        [
          "on": "true", "text": "\"hello\"", "half": "0.5", "whole": "20", "theme": #"{"accent":"red"}"#,
          "list": "[1,null]", "nothing": "null",
        ])
      let flags = try stage.flags
      #expect(flags.bool("on", default: false))
      #expect(flags.string("text", default: "") == "hello")
      #expect(flags.number("half", default: 0) == 0.5)
      #expect(flags.number("whole", default: 0) == 20)
      #expect(flags.int("whole", default: 0) == 20)
      #expect(flags.decode("theme", as: Theme.self) == Theme(accent: "red"))
      #expect(flags.decode("whole", as: Int.self) == 20)
      #expect(flags.value("list") == [1, nil])
      #expect(flags.value("nothing") == .some(.null))
      #expect(flags.value("absent") == nil)
      #expect(flags.source("on") == .default)
      #expect(flags.source("absent") == nil)
      #expect(flags.all.count == 7)
      #expect(flags.all["half"] == 0.5)
    }
  }

  @Test func `a value of another type gives the caller's default and nothing is coerced`() {
    play { stage in
      try await stage.fill(
        1, ["text": "\"1\"", "one": "1", "half": "0.5", "huge": "1e300", "nothing": "null", "on": "true"])
      let flags = try stage.flags
      #expect(!flags.bool("one", default: false))
      #expect(!flags.bool("text", default: false))
      #expect(flags.string("one", default: "fallback") == "fallback")
      #expect(flags.number("text", default: 7) == 7)
      #expect(flags.number("on", default: 7) == 7)
      #expect(flags.int("half", default: 7) == 7)
      #expect(flags.int("huge", default: 7) == 7)
      #expect(flags.int("on", default: 7) == 7)
      #expect(flags.bool("nothing", default: true))
      #expect(flags.decode("text", as: Theme.self) == nil)
      #expect(flags.decode("absent", as: Theme.self) == nil)
    }
  }

  @Test func `before the first answer every read gives the default`() {
    play { stage in
      #expect(try stage.flags.bool("a", default: true))
      #expect(try stage.flags.string("a", default: "x") == "x")
      #expect(try stage.flags.all == [:])
      _ = try await stage.request()
      #expect(try stage.flags.int("a", default: 3) == 3)
    }
  }

  @Test func `the first read starts the module`() {
    play { stage in
      #expect(await stage.pending().isEmpty)
      _ = try stage.flags.bool("a", default: false)
      #expect(try await stage.request().target == "/flags/snapshot")
    }
  }

  @Test func `every source is told, also one that is not known yet`() {
    play { stage in
      try await stage.fill(
        1,
        [
          "u": .flag("1", "user"), "e": .flag("1", "exp", "b"), "c": .flag("1", "condition"),
          "d": .flag("1", "default"), "n": .flag("1", "rollout"),
        ])
      let flags = try stage.flags
      #expect(flags.source("u") == .user)
      #expect(flags.source("e") == .experiment)
      #expect(flags.source("c") == .condition)
      #expect(flags.source("d") == .default)
      #expect(flags.source("n") == "rollout")
      #expect(flags.int("n", default: 0) == 1)
    }
  }

  @Test func `clients that share a place in a thread's table read their own values`() {
    // More clients than a thread remembers: numbers follow each other, so some of them share a place.
    let clients = (0..<20).map { _ in PalbaseClient() }
    play(seeds: 0..<2) { stage in
      try await stage.fill(1, ["a": "1"])
      for client in clients {
        #expect(client.flags.int("a", default: 0) == 0)
        #expect(try stage.flags.int("a", default: 0) == 1)
      }
    }
  }

  @Test func `a client without a configuration gives defaults and refresh throws`() async {
    let client = PalbaseClient()
    #expect(client.flags.bool("a", default: true))
    #expect(client.flags.all == [:])
    #expect(client.flags.source("a") == nil)
    #expect(client.flags.status == FlagsStatus())
    #expect(client.flags.debugConsole == nil)
    await #expect(throws: PalbaseError.notConfigured) { try await client.flags.refresh() }
    await client.flags.start()
    var heard = 0
    for await _ in client.flags.changes { heard += 1 }
    #expect(heard == 0)
  }
}
