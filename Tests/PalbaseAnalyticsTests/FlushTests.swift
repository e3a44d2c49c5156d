import ClientCore
import Palbase
import PalbaseAnalytics
import Testing

/// When events are sent, and in which requests (BEHAVIOUR §3, "Analytics").
@Suite struct FlushTests {
  @Test func `twenty events are sent at once, nineteen wait`() {
    play { stage in
      stage.capture(1...19)
      #expect(await stage.sent().isEmpty)
      stage.capture(20...20)
      let batch = try await stage.answer(202)
      #expect(batch.numbers == Array(1...20))
      #expect(stage.counts == .account(sent: 20))
    }
  }

  @Test func `an event waits thirty seconds at most`() {
    play { stage in
      stage.capture(1...1)
      try await stage.pass(.seconds(10))
      stage.capture(2...3)
      try await stage.pass(.seconds(20) - .nanoseconds(1))
      #expect(await stage.sent().isEmpty)
      try await stage.pass(.nanoseconds(1))
      #expect(try await stage.answer(202).numbers == [1, 2, 3])
    }
  }

  @Test func `the thirty seconds begin anew with the first event after a flush`() {
    play { stage in
      stage.capture(1...20)
      try await stage.answer(202)
      try await stage.pass(.seconds(100))
      stage.capture(21...21)
      try await stage.pass(.seconds(29))
      #expect(await stage.sent().isEmpty)
      try await stage.pass(.seconds(1))
      #expect(try await stage.answer(202).numbers == [21])
    }
  }

  @Test func `without events no timer runs`() {
    play { stage in
      stage.capture(1...1)
      try await stage.pass(.seconds(30))
      try await stage.answer(202)
      stage.capture(2...2)
      let flush = stage.flush()
      try await stage.answer(202)
      #expect(flush.isAnswered)
      #expect(stage.armedTimers == 0)
      // Five that were not due fill up the batch of twenty.
      stage.capture(3...27)
      let full = try await stage.answer(202)
      #expect(full.numbers == Array(3...27))
      #expect(stage.armedTimers == 0)
      try await stage.pass(.seconds(3_600))
      #expect(stage.transport.sentCount == 3)
    }
  }

  @Test func `going to the background sends what waits, coming back nothing`() {
    play { stage in
      stage.capture(1...3)
      stage.lifecycle.send(.foreground)
      #expect(await stage.sent().isEmpty)
      stage.lifecycle.send(.background)
      let batch = try await stage.answer(202)
      #expect(batch.numbers == [1, 2, 3])
    }
  }

  @Test func `closing sends what waits, once, and waits for the answer`() {
    play { stage in
      let pb = stage.pb
      let analytics = pb.analytics
      stage.capture(1...3)
      let close = stage.ask { await pb.close() }
      let batch = try await stage.batch()
      #expect(batch.numbers == [1, 2, 3])
      #expect(!close.isAnswered)
      try await stage.answer(202)
      #expect(close.isAnswered)
      #expect(analytics.counts == .account(sent: 3))
    }
  }

  @Test func `what the last flush could not send is dropped and counted`() {
    play { stage in
      let pb = stage.pb
      let analytics = pb.analytics
      stage.capture(1...120)
      try await stage.answer(202)
      let close = stage.ask { await pb.close() }
      try await stage.fail()
      #expect(close.isAnswered)
      #expect(analytics.counts == .account(sent: 50, dropped: 70))
      #expect(await stage.sent().isEmpty)
    }
  }

  @Test func `batches hold at most fifty events, in order, one request at a time`() {
    play { stage in
      stage.capture(1...19)
      stage.capture(20...20)
      let first = try await stage.batch()
      stage.capture(21...130)
      #expect(try await stage.batch().id == first.id)
      #expect(try await stage.answer(202).numbers == Array(1...20))
      #expect(try await stage.answer(202).numbers == Array(21...70))
      #expect(try await stage.answer(202).numbers == Array(71...120))
      // Ten are left, and wait for more or for their time.
      #expect(await stage.sent().isEmpty)
      #expect(stage.counts == .account(sent: 120, pending: 10))
      try await stage.pass(.seconds(30))
      #expect(try await stage.answer(202).numbers == Array(121...130))
    }
  }

  @Test func `a flush returns when the events of its moment have left`() {
    play { stage in
      stage.capture(1...3)
      let flush = stage.flush()
      _ = try await stage.batch()
      stage.capture(4...5)
      let second = stage.flush()
      #expect(!flush.isAnswered && !second.isAnswered)
      try await stage.answer(202)
      #expect(flush.isAnswered && !second.isAnswered)
      #expect(try await stage.answer(202).numbers == [4, 5])
      #expect(second.isAnswered)
    }
  }

  @Test func `a flush without events returns at once`() {
    play { stage in
      let flush = stage.flush()
      await stage.idle()
      #expect(flush.isAnswered)
      #expect(stage.transport.sentCount == 0)
    }
  }

  @Test func `cancelling a flush ends its wait only`() {
    play { stage in
      stage.capture(1...3)
      let (first, second) = (stage.flush(), stage.flush())
      _ = try await stage.batch()
      first.cancel()
      await stage.idle()
      #expect(first.isAnswered && !second.isAnswered)
      try await stage.answer(202)
      #expect(second.isAnswered)
      #expect(stage.counts == .account(sent: 3))
    }
  }

  @Test func `letting go of the client ends everything`() {
    play { stage in
      let analytics = stage.pb.analytics
      stage.capture(1...20)
      let batch = try await stage.batch()
      stage.letGo()
      await stage.idle()
      #expect(stage.transport.cancelled == [batch.pending])
      #expect(analytics.counts == AnalyticsCounts())
      analytics.capture("late")
      await analytics.flush()
    }
  }
}
