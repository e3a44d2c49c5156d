import ClientCore
import Foundation
import Palbase

/// A value of any JSON type.
public typealias FlagValue = JSONValue

/// The flags of one client, for any thread.
///
/// ```swift
/// try? await pb.flags.refresh()
/// if pb.flags.bool("new_checkout", default: false) { … }
/// ```
///
/// Reads take no network, no disk and no lock that another read could hold, and never suspend: they answer from the values
/// held, each from one state of the project. The first use starts the module: the values held on the device are read, the
/// latest are fetched for whoever is signed in, and the flags' change channels are joined. Before the first answer a read
/// gives the last launch's value, or the caller's default (BEHAVIOUR §3, Reads). While the client is not configured, and after
/// it was closed, every read gives the default.
///
/// A value that an experiment gave is recorded as an exposure when it is read by its key, once for each analytics session,
/// flag and experiment; `all` and `source(_:)` record none (seed, Experiments).
public struct FlagsClient: Sendable {
  let number: UInt64

  // MARK: Reads

  /// Returns a truth value.
  ///
  /// - Complexity: O(1); allocates nothing.
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no truth value.
  /// - Returns: The value held, else the default.
  public func bool(_ key: String, default fallback: Bool) -> Bool {
    read(key) { $0.value.boolValue } ?? fallback
  }

  /// Returns a text.
  ///
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no text.
  /// - Returns: The value held, else the default.
  public func string(_ key: String, default fallback: String) -> String {
    read(key) { $0.value.stringValue } ?? fallback
  }

  /// Returns a number, whole or not.
  ///
  /// - Complexity: O(1); allocates nothing.
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no number.
  /// - Returns: The value held, else the default.
  public func number(_ key: String, default fallback: Double) -> Double {
    read(key) { $0.value.numberValue } ?? fallback
  }

  /// Returns a whole number.
  ///
  /// - Complexity: O(1); allocates nothing.
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no number, has a fraction or does not fit.
  /// - Returns: The value held, else the default.
  public func int(_ key: String, default fallback: Int) -> Int {
    read(key) { $0.whole } ?? fallback
  }

  /// Decodes a value into a type of the app's.
  ///
  /// - Complexity: O(n) in the size of the value.
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - type: What to make of it, by its `Decodable` conformance and `JSONDecoder`'s rules.
  /// - Returns: The value; nil if the flag is absent or does not decode as the type.
  public func decode<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
    // The flag is copied out first: decoding runs the app's own code.
    guard
      let (flag, identity) = ThreadCopies.read(
        number,
        { record in
          record.values[key].map { ($0, record.identity) }
        })
    else { return nil }
    var writer = JSONWriter()
    writer.write(flag.value)
    guard let value = try? JSONDecoder().decode(type, from: Data(writer.bytes)) else { return nil }
    if case .experiment(let exposure) = flag.origin { exposure.wasRead(by: identity) }
    return value
  }

  /// Returns a value of any type.
  ///
  /// - Complexity: O(1).
  /// - Parameter key: The flag's key.
  /// - Returns: The value held; nil if the flag is absent. A flag whose value is JSON's `null` gives `.null`.
  public func value(_ key: String) -> FlagValue? { read(key) { $0.value } }

  /// All values held, by key, of one state of the project; records no exposure.
  ///
  /// - Complexity: O(n) in the number of flags.
  public var all: [String: FlagValue] {
    ThreadCopies.read(number) { $0.values.mapValues(\.value) } ?? [:]
  }

  /// Returns what gave a flag its value; records no exposure.
  ///
  /// - Complexity: O(1).
  /// - Parameter key: The flag's key.
  /// - Returns: The source; nil if the flag is absent.
  public func source(_ key: String) -> FlagSource? {
    ThreadCopies.read(number) { $0.values[key]?.source }
  }

  /// Reads one flag by its key; what is really returned of an experiment is an exposure.
  @inline(__always)
  private func read<Value>(_ key: String, _ pick: (HeldFlag) -> Value?) -> Value? {
    ThreadCopies.read(number) { record in
      guard let flag = record.values[key], let value = pick(flag) else { return nil }
      if case .experiment(let exposure) = flag.origin { exposure.wasRead(by: record.identity) }
      return value
    }
  }

  // MARK: Currency

  /// Brings the values up to date, and waits for it.
  ///
  /// It joins the fetch that is under way, or starts one at once, also while background work waits after a failure. While
  /// the project has asked for patience (`Retry-After`) no request is made and its refusal is thrown at once. Cancelling the
  /// calling task ends this wait only.
  /// - Throws: `PalbaseError`: `notConfigured`, `readerChanged` if somebody signed in or out meanwhile, `closed`, or why the
  ///   fetch has failed, which leaves the values as they are; `CancellationError` if the calling task is cancelled.
  public func refresh() async throws {
    guard let store = FlagsStore.of(number) else { throw absence }
    try await store.refresh()
  }

  /// Starts the module if no other use has, and waits until the values held on the device are read.
  ///
  /// For an app whose first screen must not wait for the network but should show the last launch's values. Ends at once while
  /// the client is not configured.
  public func start() async { await FlagsStore.of(number)?.waitForDevice() }

  /// The keys of flags whose values have changed, set by set, from this call on.
  ///
  /// A set is given when the new values are there to be read. Somebody who falls behind gets one set with the keys of all
  /// changes since. When the reader changes, the keys of the old values are told, and then those of the new reader's. The
  /// sequence serves one iteration at a time; it ends when the client is closed, and at once while it is not configured.
  /// - Complexity: O(1).
  public var changes: FlagChanges { FlagChanges(FlagsStore.of(number)) }

  private var absence: PalbaseError {
    PalbaseClient.client(number: number)?.isConfigured == false ? .notConfigured : .closed
  }
}
