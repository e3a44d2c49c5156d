import ClientCore
import Palbase
import PalbaseFlags

/// The reading benchmark: a client that holds flags, and a plain dictionary of the same to compare with.
///
/// All loops read the same keys in the same turn. The keys are short enough to be stored in place, as those of most apps
/// are, so that no loop counts references to them.
public struct ReadWorkload: Sendable {
  /// The flags of the client.
  public let flags: FlagsClient
  /// The keys in the order in which they are read.
  public let keys: [String]
  private let plain: [String: Bool]
  // A client that nobody holds any more ends, and its flags with it.
  private let client: PalbaseClient

  /// Fills a client, from a project in process, on the live clock.
  ///
  /// - Parameters:
  ///   - client: The client; it must not be configured yet.
  ///   - count: How many flags it is to hold, each a truth value; two of three are true.
  /// - Throws: `PalbaseError` if the flags could not be fetched.
  public init(filling client: PalbaseClient, with count: Int) async throws {
    let keys = (0..<count).map { "flag_\($0)" }
    let feed = FlagsFeed { _ in
      keys.enumerated().map { ($1, Self.isOn($0) ? "true" : "false") }
    }
    client.configure(
      BenchmarkProject.configuration, signedInAs: BenchmarkProject.user,
      environment: BenchmarkProject.environment(feed))
    try await client.flags.refresh()
    self.client = client
    flags = client.flags
    plain = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, Self.isOn($0)) })
    self.keys = keys
  }

  private static func isOn(_ index: Int) -> Bool { index % 3 != 0 }

  /// Returns how many of so many reads are to give true.
  ///
  /// - Complexity: O(n) in the number of keys.
  /// - Parameter reads: How many reads, from the first key on.
  /// - Returns: The number.
  public func expected(of reads: Int) -> Int {
    let (rounds, rest) = reads.quotientAndRemainder(dividingBy: keys.count)
    let on = keys.indices.map { Self.isOn($0) ? 1 : 0 }
    return rounds * on.reduce(0, +) + on.prefix(rest).reduce(0, +)
  }

  /// Reads the plain dictionary.
  ///
  /// - Parameter reads: How often.
  /// - Returns: How many reads gave true.
  @inline(never)
  public func readPlain(_ reads: Int) -> Int { Self.count(reads, keys) { plain[$0] ?? false } }

  /// Reads the client through a handle that was fetched once.
  ///
  /// - Parameter reads: How often.
  /// - Returns: How many reads gave true.
  @inline(never)
  public func readHeld(_ reads: Int) -> Int { Self.count(reads, keys) { flags.bool($0, default: false) } }

  /// Reads one key after the other, and begins again.
  ///
  /// - Parameters:
  ///   - reads: How often.
  ///   - keys: The keys.
  ///   - read: Reads a key.
  /// - Returns: How many reads gave true.
  @inline(__always)
  public static func count(_ reads: Int, _ keys: [String], _ read: (String) -> Bool) -> Int {
    var (found, next) = (0, 0)
    for _ in 0..<reads {
      if read(keys[next]) { found += 1 }
      next += 1
      if next == keys.count { next = 0 }
    }
    return found
  }
}
