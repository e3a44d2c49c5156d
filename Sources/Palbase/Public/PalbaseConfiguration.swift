/// The wiring of an app to one project.
public struct PalbaseConfiguration: Sendable {
  /// The scheme, host and optional port and path of the project, such as `https://shop.palbase.example`.
  public var baseURL: String
  /// The project's public key, sent with every request as `apikey`.
  public var apiKey: String
  /// What the app runs on, such as `ios`.
  public var platform: String
  /// The version of the app, such as `2.4.0`.
  public var appVersion: String
  /// The language of the app, such as `de`.
  public var language: String
  /// The time a request may take from its start, the loading of the install's identity included; 10 seconds unless set.
  public var requestTimeout: Duration
  /// What the person allows when the app starts; nothing unless set.
  public var consent: PalbaseConsent
  /// Is given a line for people now and then; nil keeps the library silent.
  ///
  /// No line holds a value, a token, a name of a user or the install's identity (BEHAVIOUR rule 1.10). Called without any
  /// lock held, from any thread.
  public var logger: (@Sendable (String) -> Void)?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - baseURL: Scheme, host and optional port and path; a slash at its end is ignored.
  ///   - apiKey: The project's public key.
  ///   - platform: What the app runs on.
  ///   - appVersion: The version of the app.
  ///   - language: The language of the app.
  ///   - requestTimeout: The time a request may take from its start.
  ///   - consent: What the person allows when the app starts.
  ///   - logger: Is given a line for people now and then.
  public init(
    baseURL: String, apiKey: String, platform: String, appVersion: String, language: String,
    requestTimeout: Duration = .seconds(10), consent: PalbaseConsent = .none,
    logger: (@Sendable (String) -> Void)? = nil
  ) {
    self.baseURL = baseURL
    self.apiKey = apiKey
    self.platform = platform
    self.appVersion = appVersion
    self.language = language
    self.requestTimeout = requestTimeout
    self.consent = consent
    self.logger = logger
  }
}
