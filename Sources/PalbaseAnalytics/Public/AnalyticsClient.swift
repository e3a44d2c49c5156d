import ClientCore
import Palbase

/// A value of an event's property: anything JSON can hold, written as a literal.
public typealias AnalyticsValue = JSONValue

/// The analytics of a client of Palbase: events of what the person does, while the person allows it.
///
/// ```swift
/// pb.analytics.capture("checkout_opened", properties: ["items": 3, "coupon": "SPRING"])
/// ```
///
/// Without consent (`PalbaseConsent.analytics`) nothing is recorded. With it, events wait in memory, at most 1,000, and are
/// sent in batches of at most 50: as soon as 20 wait, 30 seconds after the first, when the app goes to the background, on
/// `flush()` and when the client is closed. What the service could not take is sent again, unchanged; the service counts
/// each event once. Each event keeps the reader of its moment and is sent under that reader's credential.
///
/// A session begins with the first use of analytics, with a change of reader and after 30 minutes without events.
/// Using analytics once also lets `PalbaseFlags` record the exposures of experiments.
///
/// A value that can be kept and used from any thread; it does not keep the client of Palbase alive, and does nothing
/// before that one is configured and after it is gone. What is captured after the close is dropped and counted.
public struct AnalyticsClient: Sendable {
  private let number: UInt64

  init(number: UInt64) { self.number = number }

  /// Whether events are recorded at this moment: configured, allowed and not closed.
  ///
  /// - Complexity: O(1).
  public var isRecording: Bool { knownModule?.isRecording ?? false }

  /// What became of the events so far, also after the client was closed.
  ///
  /// - Complexity: O(1).
  public var counts: AnalyticsCounts { knownModule?.counts ?? AnalyticsCounts() }

  /// Records that something has happened, at this moment and to the reader of this moment.
  ///
  /// Returns at once. An event without a name, or with a number that is infinite or NaN, is dropped and counted, and the
  /// configuration's logger is told once. When 1,000 events are pending the oldest one that was never tried is dropped
  /// and counted.
  /// - Complexity: O(n) in the size of the properties.
  /// - Parameters:
  ///   - name: What has happened, such as `checkout_opened`; not empty.
  ///   - properties: What to know about it.
  public func capture(_ name: String, properties: [String: AnalyticsValue] = [:]) {
    (module ?? knownModule)?.capture(name, properties)
  }

  /// Sends the events that wait now.
  ///
  /// Returns when they have left, when an attempt has failed (they are kept and tried again by themselves), or when the
  /// calling task is cancelled, which cancels only this wait. It does not wait out the client's own pause after a failure,
  /// but while the service has asked for patience (`Retry-After`) it returns at once and nothing is sent.
  public func flush() async { await module?.flush() }

  /// Makes sure that the module is there, which counts as its use.
  func use() { _ = module }

  /// The module, made if it must be; nil before there is a configuration and after the end.
  private var module: AnalyticsModule? {
    let module = PalbaseClient.client(number: number)?.module(.analytics) { AnalyticsModule($0, $1) }
    module?.start()
    return module
  }

  /// The module as it was left, if it was ever made.
  private var knownModule: AnalyticsModule? {
    PalbaseClient.client(number: number)?.module(in: .analytics) as? AnalyticsModule
  }
}

extension PalbaseClient {
  /// The analytics of this client; the first use begins the first session.
  ///
  /// - Complexity: O(1), except for the first use.
  public var analytics: AnalyticsClient {
    let analytics = AnalyticsClient(number: number)
    analytics.use()
    return analytics
  }
}
