/// Whose values are read: a signed-in user, or an install without one (seed, "A signed-in user's values").
public enum FlagsReader: Hashable, Sendable {
  /// A signed-in user.
  case user(String)
  /// An install of the app.
  case install(String)

  /// The id of the user or install.
  public var id: String {
    switch self {
    case .user(let id), .install(let id): id
    }
  }

  /// The channel on which the reader is told of changes of its own values: `flags:reader:<id>`.
  public var topic: String { "flags:reader:\(id)" }

  /// A hash that is the same in every process.
  var hash: UInt64 {
    var hash = StableHash(seed: 1)
    switch self {
    case .user(let id):
      hash.mix(0)
      hash.mix(id)
    case .install(let id):
      hash.mix(1)
      hash.mix(id)
    }
    return hash.value
  }
}

/// What the app says about itself with every read, and where the request comes from.
public struct ReaderContext: Hashable, Sendable {
  /// The platform, such as `ios`.
  public var platform: String
  /// The version of the app, such as `3.2.0`.
  public var appVersion: String
  /// The language, such as `de` or `de-AT`.
  public var language: String
  /// The country of the address; nil for the one in which the reader lives, by a hash.
  public var country: String?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - platform: The platform.
  ///   - appVersion: The version of the app.
  ///   - language: The language.
  ///   - country: The country of the address; nil for the one in which the reader lives.
  public init(platform: String, appVersion: String, language: String, country: String? = nil) {
    self.platform = platform
    self.appVersion = appVersion
    self.language = language
    self.country = country
  }

  /// Where readers live.
  static let countries = ["BR", "DE", "FR", "IN", "JP", "US"]

  /// The country from which a reader's requests come.
  func country(of reader: FlagsReader) -> String {
    country ?? Self.countries[Int(reader.hash % UInt64(Self.countries.count))]
  }

  /// A language without its region, in lower case.
  static func language(_ language: String) -> String {
    String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
  }
}

/// A version of an app as conditions compare it: its parts as numbers, missing ones as 0.
struct AppVersion: Comparable {
  private let parts: [Int]

  /// Reads a version; nil if it is no row of numbers between dots.
  init?(_ text: String) {
    var parts: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else { return nil }
      parts.append(number)
    }
    while parts.last == 0 { parts.removeLast() }
    self.parts = parts
  }

  static func < (one: AppVersion, other: AppVersion) -> Bool {
    one.parts.lexicographicallyPrecedes(other.parts)
  }
}
