import ClientCore
import Palbase
import Stagecraft
import Synchronization
import Testing

/// The places of modules, the app's life and the client's end (BEHAVIOUR rule 1.9).
@Suite struct ModuleTests {
  @Test func `without a configuration there is no module, no core and no socket`() {
    let client = PalbaseClient()
    #expect(!client.isConfigured)
    #expect(client.core == nil && client.socket == nil)
    let module = client.module(.flags) { _, _ in
      Issue.record("nothing to make it with")
      return ProbeModule("flags", Journal())
    }
    #expect(module == nil)
    #expect(!pb.isConfigured, "no test configures the app's own client")
  }

  @Test func `a client is found by its number for as long as it lives`() {
    var client: PalbaseClient? = PalbaseClient()
    let number = client?.number ?? 0
    #expect(number > 0 && PalbaseClient().number > number)
    #expect(PalbaseClient.client(number: number) === client)
    client = nil
    #expect(PalbaseClient.client(number: number) == nil)
  }

  @Test func `a second configuration changes nothing and is told`() {
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      let core = try stage.core
      client.configure(
        PalbaseConfiguration(
          baseURL: "https://other.example", apiKey: "other", platform: "ios", appVersion: "1", language: "de"),
        signedInAs: .ben, environment: .unimplemented { Issue.record("\($0)") })
      #expect(client.core === core)
      #expect(client.user == .anna)
      #expect(
        stage.logged == ["Palbase: configure was called twice; the first configuration stands"])
    }
  }

  @Test func `a module is made once and of two made at once one gets the place`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      let outer = client.module(.flags) { client, _ in
        _ = client.module(.flags) { _, _ in ProbeModule("inner", journal) }
        return ProbeModule("outer", journal)
      }
      #expect(outer?.name == "inner", "both get the one that has the place")
      #expect(journal.all == ["inner starts", "outer closes"])
      let again = client.module(.flags) { _, _ in ProbeModule("third", journal) }
      #expect(again === outer)
    }
  }

  @Test func `consent is told once for each change`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      _ = client.module(.analytics) { _, _ in ProbeModule("analytics", journal) }
      #expect(client.consent == .none)
      client.setConsent(.all)
      client.setConsent(.all)
      client.setConsent(.none)
      #expect(journal.all == ["analytics starts", "analytics: analytics true", "analytics: analytics false"])
    }
  }

  @Test func `consent given before the configuration stands`() {
    play(seeds: 0..<1) { stage in
      let client = PalbaseClient()
      client.setConsent(.all)
      client.configure(
        PalbaseConfiguration(
          baseURL: "https://shop.example", apiKey: "key", platform: "ios", appVersion: "1", language: "de"),
        environment: stage.environment)
      #expect(client.consent == .all)
      await client.close()
    }
  }

  @Test func `the app's life is followed from the first module on, by one observer`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      #expect(stage.lifecycle.subscriberCount == 0)
      for slot in ModuleSlot.allCases { _ = client.module(slot) { _, _ in ProbeModule("\(slot)", journal) } }
      #expect(stage.lifecycle.subscriberCount == 1)
      stage.lifecycle.send(.background)
      stage.lifecycle.send(.foreground)
      await stage.idle()
      #expect(
        journal.all.suffix(4) == [
          "analytics: background", "flags: background", "analytics: foreground", "flags: foreground",
        ])
    }
  }

  @Test func `close flushes every module, then ends them, once`() {
    let journal = Journal()
    play(seeds: 0..<1) { stage in
      let client = try #require(stage.client)
      for slot in ModuleSlot.allCases {
        _ = client.module(slot) { _, _ in
          ProbeModule(
            "\(slot)", journal, onFlush: { try? await stage.simulator.clock.sleep(for: .seconds(1)) })
        }
      }
      stage.simulator.spawn {
        await client.close()
        journal.add("first close at \(stage.now)")
      }
      stage.simulator.spawn {
        await client.close()
        journal.add("second close at \(stage.now)")
      }
      try await stage.pass(.seconds(5))
      #expect(
        journal.all.dropFirst(2).prefix(4) == [
          "analytics flushes", "flags flushes", "analytics closes", "flags closes",
        ])
      #expect(
        journal.all.suffix(2).sorted() == ["first close at 2.0 seconds", "second close at 2.0 seconds"])
      await client.close()
      let later = client.module(.flags) { _, _ in ProbeModule("later", journal) }
      #expect(later == nil)
      #expect(journal.all.count == 8)
    }
  }

  @Test func `letting go of the client ends everything without a flush`() {
    let journal = Journal()
    play(Setup(user: .anna), seeds: 0..<1) { stage in
      _ = stage.client?.module(.flags) { _, _ in ProbeModule("flags", journal) }
      let call = try stage.send()
      await stage.idle()
      stage.letGo()
      await stage.idle()
      #expect(call.error == .closed)
      #expect(journal.all == ["flags starts", "flags closes"])
      #expect(stage.lifecycle.subscriberCount == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a module made by several threads at once is one`() async {
    var environment = ClientEnvironment.unimplemented { Issue.record("\($0)") }
    environment.clock = ControllableClock().clock
    environment.spawner = LiveSpawner()
    environment.lifecycle = ControllableLifecycle()
    let journal = Journal()
    for _ in 0..<50 {
      let client = PalbaseClient(
        PalbaseConfiguration(
          baseURL: "https://shop.example", apiKey: "key", platform: "ios", appVersion: "1", language: "de"),
        environment: environment)
      let found = await withTaskGroup(of: ProbeModule?.self) { group in
        for _ in 0..<4 {
          group.addTask { client.module(.flags) { _, _ in ProbeModule("flags", journal) } }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(found.allSatisfy { $0 != nil && $0 === found[0] })
      await client.close()
    }
    #expect(journal.all.count { $0 == "flags starts" } == 50)
  }
}
