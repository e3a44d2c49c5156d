/// Reads the `Retry-After` header of an answer (BEHAVIOUR rule 1.6).
public enum RetryAfter {
  /// No answer keeps a client away for longer.
  public static let longest = Duration.seconds(3600)

  /// Returns how long the service asks the client to stay away.
  ///
  /// Seconds are taken as they are. A date counts from the answer's own `Date` header, so that a wrong clock on the
  /// device changes nothing; the local wall clock is read only if the answer has none.
  /// - Parameters:
  ///   - response: The answer.
  ///   - wallClock: Read only for a date in an answer without a date of its own.
  /// - Returns: The delay, at most one hour; nil if the header is missing, garbled, negative or past, which leaves the
  ///   client to its own backoff.
  public static func delay(of response: TransportResponse, wallClock: any WallClock) -> Duration? {
    guard let text = response.header("Retry-After")?.trimmed, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return min(longest, .seconds(Int64(text) ?? .max / 4))
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    let now = response.header("Date").flatMap(HTTPDate.parse) ?? wallClock.now
    let delay = now.duration(to: date)
    return delay > .zero ? min(longest, delay) : nil
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
