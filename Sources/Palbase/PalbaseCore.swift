import ClientCore

/// What a configured client is made of and its modules work with: the wiring, the reader, the ways to the project.
///
/// It never changes, and knows neither the client nor the modules, so that these may hold it.
package final class PalbaseCore: Sendable {
  @usableFromInline package let wiring: Wiring
  /// The channels of the project.
  package let socket: RealtimeSocket
  /// Where exposures of experiments go.
  package let exposures: ExposureSlot
  /// Says who the reader is; for those who must not hold more than that.
  package let keeper: IdentityKeeper
  private let installKeeper: InstallKeeper
  private let desk: ExchangeDesk

  init(
    _ configuration: PalbaseConfiguration, _ environment: ClientEnvironment, keeper: IdentityKeeper,
    exposures: ExposureSlot
  ) {
    let wiring = Wiring(configuration, environment)
    self.wiring = wiring
    self.keeper = keeper
    self.exposures = exposures
    installKeeper = InstallKeeper(wiring)
    desk = ExchangeDesk(wiring)
    socket = RealtimeSocket(wiring, keeper: keeper, install: installKeeper)
  }

  /// What the app has chosen.
  @inlinable
  package var configuration: PalbaseConfiguration { wiring.configuration }

  /// The effects of this client.
  @inlinable
  package var environment: ClientEnvironment { wiring.environment }

  /// The present reader.
  package var identity: PalbaseIdentity { keeper.identity }

  /// The number of the present epoch.
  ///
  /// - Complexity: O(1), one atomic load.
  package var epoch: UInt64 { keeper.epoch }

  /// What the app says about itself, with every read (BEHAVIOUR §3, context).
  package var contextQuery: [(name: String, value: String)] {
    [
      ("platform", configuration.platform), ("app_version", configuration.appVersion),
      ("language", configuration.language),
    ]
  }

  /// The install's identity, if it is loaded or made by now.
  package var knownInstall: InstallIdentity? { installKeeper.known }

  /// How many records of the install were damaged.
  package var damagedInstallRecords: Int { installKeeper.damagedRecords }

  /// Returns the install's identity, loading or making it first if it must be.
  ///
  /// - Returns: The identity; nil if the calling task was cancelled or the client closed first.
  package func install() async -> InstallIdentity? { await installKeeper.identity() }

  /// Gives the app's logger a line, which must hold no value, token or name of a reader.
  ///
  /// - Parameter line: The line.
  package func log(_ line: String) { configuration.log(line) }

  /// Returns how long an answer asks to be left alone (BEHAVIOUR rule 1.6).
  ///
  /// - Parameter response: The answer.
  /// - Returns: The delay; nil if it asks for none that can be read.
  package func retryAfter(_ response: TransportResponse) -> Duration? {
    RetryAfter.delay(of: response, wallClock: environment.wallClock)
  }

  /// Makes a request as a reader and waits for its end, at most for the configuration's `requestTimeout`.
  ///
  /// The request gets `apikey` and the reader's credential: `Authorization` for a user, the install's two fields for the
  /// install, never both. The time runs from the call, the loading of the install's identity included. Cancelling the
  /// calling task ends the call at once, with `transport`.
  /// - Parameters:
  ///   - request: What to ask.
  ///   - identity: As whom; its newest token is used.
  ///   - admit: Asked once, in the very step in which the request is handed to the transport, with no lock held: why it may
  ///     not go, such as `readerChanged`; nil lets it go.
  /// - Returns: The answer, whatever its status; else what `admit` gave, `closed`, or `transport`.
  package func send(
    _ request: PalbaseRequest, as identity: PalbaseIdentity, admit: @escaping @Sendable () -> PalbaseError?
  ) async -> Result<TransportResponse, PalbaseError> {
    await desk.run(
      { [configuration, installKeeper] in
        if identity.userID != nil {
          return {
            let token = identity.user?.token ?? ""
            return request.complete(configuration, [HeaderField("Authorization", "Bearer " + token)])
          }
        }
        guard let install = await installKeeper.identity() else { return nil }
        return {
          request.complete(
            configuration,
            [
              HeaderField("X-Palbase-Install", install.id),
              HeaderField("X-Palbase-Install-Secret", install.secret),
            ])
        }
      }, admit: admit)
  }

  /// Ends every request, wait and connection, for good.
  func close() {
    socket.close()
    desk.close()
    installKeeper.close()
  }
}
