import ClientCore

/// What every request of this client has in common: ask the app for the authorization, look once more whether the request
/// may be sent, send it.
///
/// Who starts one races it against its deadline; this only goes the way.
struct Exchange: Sendable {
  let configuration: FeatureControlConfiguration
  let environment: ClientEnvironment

  /// How long an exchange may take from its start, authorization included (BEHAVIOUR rule 1.7).
  var timeout: Duration { configuration.requestTimeout }

  /// Goes to the service and back.
  ///
  /// - Parameters:
  ///   - request: Makes the request without its authorization; asked only when it is about to be sent.
  ///   - refusal: Why the request may not be sent now, asked after the authorization has been given (BEHAVIOUR rule 1.6).
  /// - Returns: The answer, or why there is none; a task that was cancelled meanwhile sends nothing.
  func send(
    _ request: () throws -> TransportRequest, unless refusal: () -> FeatureControlError?
  ) async -> Result<TransportResponse, RequestFailure> {
    do {
      let authorization = try await authorize()
      if let refusal = refusal() { return .failure(RequestFailure(refusal)) }
      try Task.checkCancellation()
      var complete = try request()
      complete.headers += authorization
      return .success(try await environment.transport.send(complete))
    } catch let error as FeatureControlError {
      return .failure(RequestFailure(error))
    } catch {
      return .failure(RequestFailure(.transport(message: "no answer: \(error)")))
    }
  }

  /// The failure of an exchange whose deadline has passed.
  var timeoutFailure: RequestFailure {
    RequestFailure(.transport(message: "no answer within \(configuration.requestTimeout)"))
  }

  private func authorize() async throws -> [HeaderField] {
    do {
      return try await configuration.auth.authorizationHeaders().map { HeaderField($0.name, $0.value) }
    } catch {
      throw FeatureControlError.unauthorized(code: "no_token")
    }
  }
}

extension TransportRequest {
  /// A request that expects JSON, and carries some if it has a body.
  static func json(_ method: Method, _ url: String, body: [UInt8]? = nil) -> TransportRequest {
    var headers = [HeaderField("Accept", "application/json")]
    if body != nil { headers.insert(HeaderField("Content-Type", "application/json"), at: 0) }
    return TransportRequest(method: method, url: url, headers: headers, body: body)
  }
}
