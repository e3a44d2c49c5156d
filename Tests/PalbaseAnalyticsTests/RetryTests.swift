import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// What becomes of a batch that the service did not take (BEHAVIOUR rule 1.6 and §3, "Analytics").
@Suite struct RetryTests {
  @Test(arguments: [500, 503, 408, 410, 429, 401, 200, 302])
  func `an answer that may be better another time puts the batch back in front, unchanged`(status: Int) {
    play { stage in
      stage.capture(1...20)
      let first = try await stage.answer(status)
      stage.capture(21...21)
      #expect(stage.counts == .account(pending: 21))
      try await stage.pass(.seconds(2))
      let again = try await stage.answer(202)
      #expect(again.bytes == first.bytes)
      #expect(stage.counts == .account(sent: 20, pending: 1))
    }
  }

  @Test func `an answer that was lost is asked for again with the same bytes`() {
    play { stage in
      stage.capture(1...20)
      let first = try await stage.fail()
      try await stage.pass(.seconds(2))
      // The deadline of the second attempt passes.
      let second = try await stage.batch()
      try await stage.pass(.seconds(10))
      #expect(stage.transport.cancelled == [second.pending])
      try await stage.pass(.seconds(4))
      let third = try await stage.answer(202)
      #expect(first.bytes == second.bytes && second.bytes == third.bytes)
      #expect(stage.counts == .account(sent: 20))
    }
  }

  @Test(arguments: [400, 403, 404, 409, 422])
  func `an answer that will never be better drops the batch, and the next one goes`(status: Int) {
    play { stage in
      stage.capture(1...60)
      try await stage.answer(202)
      #expect(try await stage.answer(status).numbers == Array(51...60))
      #expect(stage.counts == .account(sent: 50, dropped: 10))
      stage.capture(61...61)
      stage.flush()
      #expect(try await stage.answer(202).numbers == [61])
    }
  }

  @Test func `the gaps between attempts stay within their bounds and only success starts over`() {
    play(seeds: 0..<10) { stage in
      stage.capture(1...20)
      for failure in 1...9 {
        try await stage.fail()
        let failed = stage.now
        while await stage.sent().isEmpty { try await stage.pass(.milliseconds(50)) }
        let gap = stage.now - failed
        let upper = failure >= 6 ? Duration.seconds(60) : .seconds(1 << failure)
        #expect(gap >= .milliseconds(100) && gap <= upper + .milliseconds(50), "after \(failure) failures")
      }
      try await stage.answer(202)
      stage.capture(21...40)
      try await stage.fail()
      try await stage.pass(.seconds(2))
      #expect(try await stage.answer(202).numbers == Array(21...40))
    }
  }

  @Test func `while it rests, neither events nor their time nor the background start a request`() {
    play { stage in
      stage.capture(1...20)
      for _ in 1...6 {
        try await stage.fail()
        stage.capture(21...60)
        stage.lifecycle.send(.background)
        // Shorter than the shortest gap.
        try await stage.pass(.milliseconds(99))
        #expect(await stage.sent().isEmpty)
        while await stage.sent().isEmpty { try await stage.pass(.seconds(1)) }
      }
    }
  }

  @Test func `an explicit flush does not wait out the rest`() {
    play { stage in
      stage.capture(1...20)
      let first = try await stage.fail()
      let flush = stage.flush()
      let second = try await stage.batch()
      #expect(second.bytes == first.bytes)
      #expect(!flush.isAnswered)
      try await stage.fail()
      // One attempt failed: the call is over, the batch is kept.
      #expect(flush.isAnswered)
      #expect(stage.counts == .account(pending: 20))
    }
  }

  @Test(arguments: ["30", "Sun, 06 Nov 1994 08:50:07 GMT", "1994-11-06T08:50:07Z"], [429, 503])
  func `until a Retry-After has passed nothing starts a request`(value: String, status: Int) {
    play { stage in
      stage.capture(1...20)
      let first = try await stage.answer(
        status,
        headers: [
          HeaderField("Retry-After", value), HeaderField("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ])
      stage.capture(21...60)
      let flush = stage.flush()
      stage.lifecycle.send(.background)
      await stage.idle()
      #expect(flush.isAnswered, "it returns at once")
      try await stage.pass(.seconds(30) - .nanoseconds(1))
      #expect(await stage.sent().isEmpty)
      try await stage.pass(.nanoseconds(1))
      #expect(try await stage.answer(202).bytes == first.bytes)
      #expect(try await stage.answer(202).numbers == Array(21...60))
    }
  }

  @Test func `a Retry-After with a refusal keeps the next batch back`() {
    play { stage in
      stage.capture(1...60)
      try await stage.answer(202)
      let flush = stage.flush()
      try await stage.answer(400, headers: [HeaderField("Retry-After", "7")])
      #expect(flush.isAnswered)
      stage.capture(61...61)
      stage.flush()
      try await stage.pass(.seconds(6))
      #expect(await stage.sent().isEmpty)
      stage.capture(62...81)
      try await stage.pass(.seconds(1))
      #expect(try await stage.answer(202).numbers == Array(61...81))
    }
  }

  @Test func `a Retry-After of nothing makes no loop without a pause`() {
    play { stage in
      stage.capture(1...20)
      try await stage.answer(429, headers: [HeaderField("Retry-After", "0")])
      try await stage.pass(.milliseconds(99))
      #expect(await stage.sent().isEmpty)
      try await stage.pass(.seconds(2))
      #expect(try await stage.answer(202).numbers == Array(1...20))
    }
  }

  @Test func `closing does not break a Retry-After: what waits is dropped and counted`() {
    play { stage in
      stage.capture(1...20)
      try await stage.answer(429, headers: [HeaderField("Retry-After", "60")])
      let close = stage.ask { [pb = stage.pb] in await pb.close() }
      await stage.idle()
      #expect(close.isAnswered)
      #expect(await stage.sent().isEmpty)
      #expect(stage.counts == .account(dropped: 20))
    }
  }

  @Test func `a batch that is too large is split until its parts are taken`() {
    play { stage in
      stage.capture(1...20)
      _ = try await stage.batch()
      stage.capture(21...40)
      let whole = try await stage.answer(413)
      var seen = [whole.id]
      var taken: [Int] = []
      var ids: [String] = []
      // Parts of at most three events are taken.
      while let part = await stage.sent().first {
        #expect(!seen.contains(part.id), "each part is a batch of its own")
        seen.append(part.id)
        if part.events.count > 3 {
          try await stage.answer(413)
        } else {
          taken += part.numbers
          ids += part.ids
          try await stage.answer(202)
        }
      }
      #expect(taken == Array(1...40), "in order, each once")
      #expect(Array(ids.prefix(20)) == whole.ids, "the events keep their ids")
      #expect(stage.counts == .account(sent: 40))
    }
  }

  @Test func `an event that is too large alone is dropped and counted, its neighbours are sent`() {
    play { stage in
      stage.capture(1...20)
      var taken: [Int] = []
      while let part = await stage.sent().first {
        if part.numbers.contains(13) {
          try await stage.answer(413)
        } else {
          taken += part.numbers
          try await stage.answer(202)
        }
      }
      #expect(taken == Array(1...20).filter { $0 != 13 })
      #expect(stage.counts == .account(sent: 19, dropped: 1))
    }
  }

  @Test func `a part that fails is tried again as it is before the other part`() {
    play { stage in
      stage.capture(1...20)
      try await stage.answer(413)
      let first = try await stage.fail()
      #expect(first.numbers == Array(1...10))
      try await stage.pass(.seconds(2))
      #expect(try await stage.answer(202).bytes == first.bytes)
      #expect(try await stage.answer(202).numbers == Array(11...20))
    }
  }
}
