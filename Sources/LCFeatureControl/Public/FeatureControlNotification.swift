import ClientCore

/// One notification of the inbox.
public struct FeatureControlNotification: Hashable, Sendable, Identifiable {
  /// Whether a notification has been read; open, because services may know more states.
  public struct Status: RawRepresentable, Hashable, Sendable {
    /// The state as it is sent.
    public let rawValue: String

    /// Creates a state of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not read yet.
    public static let unread = Status(rawValue: "unread")
    /// Read.
    public static let read = Status(rawValue: "read")
  }

  /// The identifier, unique in the inbox and never empty.
  public let id: String
  /// The heading; empty if the service gives none.
  public let title: String
  /// The text; empty if the service gives none.
  public let body: String
  /// Whether it has been read; unread if the service does not say.
  public let status: Status
  /// When it was made, as the service writes it; nil if it does not say.
  public let createdAt: String?
  /// The data that comes with it.
  public let payload: FeatureControlValue?

  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - id: The identifier, not empty.
  ///   - title: The heading.
  ///   - body: The text.
  ///   - status: Whether it has been read.
  ///   - createdAt: When it was made, as the service writes it.
  ///   - payload: The data that comes with it.
  public init(
    id: String, title: String = "", body: String = "", status: Status = .unread, createdAt: String? = nil,
    payload: FeatureControlValue? = nil
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.status = status
    self.createdAt = createdAt
    self.payload = payload
  }
}
