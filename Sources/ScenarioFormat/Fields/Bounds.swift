/// The largest numbers a scenario may name.
///
/// They are far beyond what one machine can run, and small enough that products of two of them fit 64 bits.
enum Bounds {
  static let readers: Int64 = 10_000_000
  static let iterations: Int64 = 1_000_000_000
  static let flags: Int64 = 1_000_000
  static let notifications: Int64 = 1_000_000
  static let rate: Int64 = 1_000_000_000
  /// How many iterations an open model may plan, each exact in floating point.
  static let arrivals: Int64 = 1_000_000_000_000
  static let weight: Int64 = 1_000_000
  /// How many elements a list may have, or keys an object with free keys; some checks compare all with all.
  static let elements = 10_000
  /// A folder of this name has to fit the limits of every file system.
  static let nameLength = 128
  /// Conditions and metrics with their tags are one line of a report.
  static let expressionLength = 512
  static let checks: Int64 = 1_000_000_000_000
  /// The largest integer that every JSON reader keeps exactly: 2⁵³ − 1.
  static let seed: Int64 = (1 << 53) - 1
}
