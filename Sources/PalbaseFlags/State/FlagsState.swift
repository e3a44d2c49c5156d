import Observation
import Palbase

/// The flags for views: the same reads as on `pb.flags`, on the main actor, and observable.
///
/// A view that reads one flag is drawn again when that flag's value changes, and only then; a view that reads `all` is drawn
/// again on any change (seed). It holds no values of its own: it reads the very record that `pb.flags` reads, so a gate
/// closes here in the same step. Only the news of a change comes by way of the main actor.
@MainActor
@Observable
public final class FlagsState {
  @ObservationIgnored private let flags: FlagsClient
  @ObservationIgnored private var cells: [String: FlagCell] = [:]
  private let whole = FlagCell()

  init(_ flags: FlagsClient) { self.flags = flags }

  /// Returns a truth value; see `FlagsClient.bool(_:default:)`.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no truth value.
  /// - Returns: The value held, else the default.
  public func bool(_ key: String, default fallback: Bool) -> Bool {
    observe(key)
    return flags.bool(key, default: fallback)
  }

  /// Returns a text; see `FlagsClient.string(_:default:)`.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no text.
  /// - Returns: The value held, else the default.
  public func string(_ key: String, default fallback: String) -> String {
    observe(key)
    return flags.string(key, default: fallback)
  }

  /// Returns a number; see `FlagsClient.number(_:default:)`.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no number.
  /// - Returns: The value held, else the default.
  public func number(_ key: String, default fallback: Double) -> Double {
    observe(key)
    return flags.number(key, default: fallback)
  }

  /// Returns a whole number; see `FlagsClient.int(_:default:)`.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - fallback: What an absent flag is, and one that is no whole number.
  /// - Returns: The value held, else the default.
  public func int(_ key: String, default fallback: Int) -> Int {
    observe(key)
    return flags.int(key, default: fallback)
  }

  /// Decodes a value into a type of the app's; see `FlagsClient.decode(_:as:)`.
  ///
  /// - Complexity: O(n) in the size of the value.
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - type: What to make of it.
  /// - Returns: The value; nil if the flag is absent or does not decode as the type.
  public func decode<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
    observe(key)
    return flags.decode(key, as: type)
  }

  /// Returns a value of any type; see `FlagsClient.value(_:)`.
  ///
  /// - Parameter key: The flag's key.
  /// - Returns: The value held; nil if the flag is absent.
  public func value(_ key: String) -> FlagValue? {
    observe(key)
    return flags.value(key)
  }

  /// All values held, by key; a view that reads it is drawn again on any change.
  ///
  /// - Complexity: O(n) in the number of flags.
  public var all: [String: FlagValue] {
    whole.look()
    return flags.all
  }

  /// Returns what gave a flag its value; see `FlagsClient.source(_:)`.
  ///
  /// A view is drawn again when the flag's value changes, not when the same value comes from elsewhere.
  /// - Parameter key: The flag's key.
  /// - Returns: The source; nil if the flag is absent.
  public func source(_ key: String) -> FlagSource? {
    observe(key)
    return flags.source(key)
  }

  /// The debug console, if it is open for this reader; see `FlagsClient.debugConsole`.
  ///
  /// - Complexity: O(n log n) in the number of flags while it is open.
  public var debugConsole: FlagsDebugConsole? {
    whole.look()
    return flags.debugConsole
  }

  private func observe(_ key: String) {
    if let cell = cells[key] { return cell.look() }
    let cell = FlagCell()
    cells[key] = cell
    cell.look()
  }

  /// Takes in the news that values have changed; they can be read already.
  func changed(_ keys: Set<String>) {
    // In a fixed order: what is told to views must not depend on the hash seed of the process.
    for key in keys.sorted() { cells[key]?.change() }
    whole.change()
  }
}

/// What is observed of one flag: that something about it has changed.
@MainActor
@Observable
final class FlagCell {
  private var changes: UInt64 = 0

  /// Makes whoever is being tracked an observer.
  func look() { _ = changes }

  /// Wakes the observers.
  func change() { changes &+= 1 }
}
