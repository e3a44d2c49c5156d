/// Which clients run, how they are configured and for whom.
public struct ClientSpec: Sendable, Equatable {
  /// The clients that a scenario can test.
  public enum Kind: String, Sendable, CaseIterable {
    /// `FeatureControlManager` of LCFeatureControl.
    case featureControl = "feature-control"
    /// `pb.flags` of PalbaseFlags, with `pb.analytics`.
    case flags
  }

  /// The client under test.
  public let kind: Kind
  /// How many app instances, each with a client of its own, share the readers: from 1 to as many as readers.
  public let instances: Int
  /// Whose flags the readers ask for; of the kind `flags`, how many users there are: instance i starts with user
  /// i modulo their number.
  public let subjects: Population
  /// Which stores the readers ask in; `feature-control` only, else `shared`.
  public let stores: Population
  /// How long an answer stays fresh; `feature-control` only, else zero.
  public let cacheTTL: Duration
  /// How long a request may take, authorization included (BEHAVIOUR rule 1.7).
  public let requestTimeout: Duration
  /// The flag keys a reader asks for unless its step names others, in the order of the file, at least one,
  /// unique.
  public let keys: [String]
  /// The environment of the configuration; `feature-control` only, else empty.
  public let environment: String
  /// The platform of the context.
  public let platform: String
  /// The app's version in the context.
  public let appVersion: String
  /// How requests are authorized; `feature-control` only, else by a header.
  public let auth: AuthSpec
  /// What only the kind `flags` is configured with; nil of the other kind.
  public let flags: FlagsClientSpec?
}

/// How the clients of a scenario authorize their requests.
public enum AuthSpec: Sendable, Equatable {
  /// By a fixed header.
  case header
  /// By a bearer token that a closure of the app gives: after `latency`, a new token every `lifetime` and whenever the
  /// user is switched; nil for tokens that don't expire.
  case bearer(latency: Latency, lifetime: Duration?)
}

/// How readers are spread over subjects or stores.
public enum Population: Sendable, Equatable {
  /// All readers share one.
  case shared
  /// Each reader has one of its own.
  case perReader
  /// Readers are spread round-robin over so many, at least 1.
  case count(Int)

  /// Returns how many there are.
  ///
  /// - Parameter readers: The number of readers of the whole scenario.
  /// - Returns: The number of subjects or stores, at least 1.
  public func count(forReaders readers: Int) -> Int {
    switch self {
    case .shared: 1
    case .perReader: max(1, readers)
    case .count(let count): count
    }
  }
}

/// The service that answers the clients.
public struct ServiceSpec: Sendable, Equatable {
  /// How many flags it has defined, at least as many as the client's keys.
  public let flags: Int
  /// How long it takes from a request's arrival to its answer.
  public let latency: Latency
  /// The inbox of each user; `feature-control` only, else empty.
  public let inbox: InboxSpec
  /// The project behind the flags; nil unless the client is of the kind `flags`.
  public let project: ProjectSpec?
}

/// The inbox of each user.
public struct InboxSpec: Sendable, Equatable {
  /// How many notifications a user has at first.
  public let items: Int
  /// What a cursor names.
  public let cursors: CursorKind
  /// Whether the cursor of the second page is the empty text, which is a cursor like any other.
  public let emptyCursor: Bool
}

/// What a cursor of the inbox names.
public enum CursorKind: String, Sendable, CaseIterable {
  /// A position counted from the newest item, so that items that arrive between two pages make others come twice.
  case position
  /// The item after which the page begins.
  case item
  /// As `item`, but the last page names itself as the next.
  case endless
}

/// The way between a client and the service.
public struct NetworkSpec: Sendable, Equatable {
  /// How long a message takes in one direction; request and answer draw separately.
  public let latency: Latency
}
