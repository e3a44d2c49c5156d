import ClientCore

/// The wiring for one deployment of the Feature Control module.
public struct FeatureControlConfiguration: Sendable {
  /// The scheme, host and optional port and path in front of every path below, such as `https://api.example.com`.
  public var baseURL: String
  /// The environment whose flags are asked for, such as `production`.
  public var environment: String
  /// How requests prove who sends them.
  public var auth: any FeatureControlAuthorizing
  /// How long an answer counts as fresh after its receipt; 45 seconds unless set.
  ///
  /// The answer's own cache headers change nothing.
  public var cacheTTL: Duration
  /// The time a request may take from its start, authorization included; 3 seconds unless set.
  public var requestTimeout: Duration
  /// Where flags are evaluated.
  ///
  /// Override only for a BFF that mounts the module elsewhere.
  public var evaluatePath: String
  /// Where the notifications inbox lives.
  ///
  /// Override only for a BFF that mounts the module elsewhere.
  public var notificationsPath: String
  /// Where exposure telemetry goes.
  ///
  /// Override only for a BFF that mounts the module elsewhere.
  public var telemetryPath: String

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - baseURL: Scheme, host and optional port and path; a slash at its end is ignored.
  ///   - environment: The environment whose flags are asked for.
  ///   - auth: How requests prove who sends them.
  ///   - cacheTTL: How long an answer counts as fresh after its receipt.
  ///   - requestTimeout: The time a request may take from its start, authorization included.
  ///   - evaluatePath: The path of flag evaluation, beginning with a slash.
  ///   - notificationsPath: The path of the inbox, beginning with a slash.
  ///   - telemetryPath: The path of exposure telemetry, beginning with a slash.
  public init(
    baseURL: String, environment: String, auth: any FeatureControlAuthorizing,
    cacheTTL: Duration = .seconds(45), requestTimeout: Duration = .seconds(3),
    evaluatePath: String = "/api/feature-control/evaluate",
    notificationsPath: String = "/api/feature-control/notifications",
    telemetryPath: String = "/api/feature-control/telemetry/exposures"
  ) {
    self.baseURL = baseURL
    self.environment = environment
    self.auth = auth
    self.cacheTTL = cacheTTL
    self.requestTimeout = requestTimeout
    self.evaluatePath = evaluatePath
    self.notificationsPath = notificationsPath
    self.telemetryPath = telemetryPath
  }

  /// The absolute URL of a path of this deployment.
  func url(_ path: String) -> String {
    var base = baseURL[...]
    while base.last == "/" { base.removeLast() }
    return path.first == "/" ? base + path : base + "/" + path
  }
}
