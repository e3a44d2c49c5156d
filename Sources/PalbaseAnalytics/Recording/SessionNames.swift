/// The identifiers under which the service knows the sessions of a client.
///
/// Sessions are counted by the slot of exposures; a number is nothing to send, since every launch counts from one. The
/// identifiers are random and not derived from the number, so that the sessions of two readers of one device cannot be
/// told to belong together. A session is one reader's: an exposure that crosses a change of reader on its way finds the
/// identifier of its own reader, or makes one, and never that of the next.
struct SessionNames: Sendable {
  private struct Entry {
    let number: UInt64
    let epoch: UInt64
    let name: String
  }

  /// How many are kept: only an exposure on its way may still ask for an earlier session.
  private static let capacity = 8

  private var entries: [Entry] = []

  /// Returns the identifier of a session.
  ///
  /// - Parameters:
  ///   - number: The number of the session.
  ///   - epoch: The epoch of its reader.
  /// - Returns: The identifier; nil if none was made, or if it is too long ago.
  func name(of number: UInt64, epoch: UInt64) -> String? {
    entries.last { $0.number == number && $0.epoch == epoch }?.name
  }

  /// Gives a session its identifier, unless it has one.
  ///
  /// - Parameters:
  ///   - name: The identifier to give.
  ///   - number: The number of the session.
  ///   - epoch: The epoch of its reader.
  /// - Returns: The identifier that the session has.
  mutating func give(_ name: String, to number: UInt64, epoch: UInt64) -> String {
    if let known = self.name(of: number, epoch: epoch) { return known }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append(Entry(number: number, epoch: epoch, name: name))
    return name
  }
}
