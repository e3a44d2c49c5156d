import ClientCore
import Events
import LCFeatureControl
import ScenarioFormat
import Synchronization

/// Who is signed in on one app instance, and the app's own closure that gives the client a token.
///
/// A token names the user and a generation, which moves when the token's lifetime is over.
/// The service accepts the present generation and the one before, since a token may expire on its way; an older one,
/// such as a client that keeps tokens would send, is answered 401.
final class UserSession: Sendable {

  private let instance: InstanceID
  private let instanceCount: Int
  private let present: Mutex<Int>

  /// Creates the session of an instance; its first user has the instance's number.
  init(_ instance: InstanceID, of instanceCount: Int) {
    self.instance = instance
    self.instanceCount = instanceCount
    present = Mutex(Int(instance.rawValue))
  }

  /// The number of the user who is signed in.
  var user: Int { present.withLock { $0 } }

  /// Signs the next user in: one that no other instance has.
  func switchUser() {
    present.withLock { $0 += instanceCount }
  }

  /// The token that the user has now.
  func token(at now: Int64, lifetime: Duration?) -> SessionToken {
    let expired = lifetime.map { now / max(1, $0.nanoseconds) } ?? 0
    return SessionToken(user: user, generation: Int(expired))
  }

  /// Gives the client the token of the present user, as slowly as the scenario says.
  ///
  /// - Returns: The token; nil where a fault says that there is none.
  /// - Throws: `CancellationError` if the client gives up, `NoToken` where a fault says so.
  func authorize(in world: FeatureControlWorld, latency: Latency, lifetime: Duration?) async throws -> String?
  {
    let call = ReaderScope.call
    let endpoint = call?.operation.endpoint ?? .evaluate
    let began = world.stage.now
    let id = world.witness.flightBegan(instance, endpoint, call?.key)
    let fault = world.faults.authorization(
      FaultSubject(endpoint: endpoint, group: ReaderScope.group, instance: instance), world.basis)
    let delay =
      (latency.isZero ? 0 : world.sampler.sample(latency, on: world.stage)) + (fault?.delay ?? 0)
    if delay > 0 {
      do {
        try await withTaskCancellationHandler {
          try await world.stage.sleep(delay)
          try Task.checkCancellation()
        } onCancel: {
          world.witness.requestCancelled(id)
        }
      } catch {
        world.witness.requestCompleted(id, .cancelled)
        throw error
      }
    }
    guard fault?.refuses != true else {
      world.witness.note(.authorized(id, token: nil))
      if fault?.isThrown == true { throw NoToken() }
      return nil
    }
    let token = token(at: world.stage.now, lifetime: lifetime)
    world.witness.note(.authorized(id, token: token.number))
    FlightSlot.current?.put(FlightSlot.Flight(id: id, began: began))
    return token.text
  }
}

/// The app has no token to give.
struct NoToken: Error {}

/// A bearer token of the simulated sessions.
struct SessionToken: Equatable {
  let user: Int
  let generation: Int

  init(user: Int, generation: Int) {
    self.user = user
    self.generation = generation
  }

  /// As it stands behind `Bearer `.
  var text: String { "user-\(user).\(generation)" }

  /// The token as a number of its own.
  var number: UInt64 { UInt64(user) << 24 | UInt64(generation & 0xFF_FFFF) }

  /// Reads the token of a request; nil for anything that no session gave.
  init?(text: some StringProtocol) {
    guard text.hasPrefix("user-") else { return nil }
    let parts = text.dropFirst(5).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = Int(parts[0]), let generation = Int(parts[1]) else { return nil }
    self.init(user: user, generation: generation)
  }

  /// Whether the service still accepts the token.
  func isAccepted(at now: Int64, lifetime: Duration?) -> Bool {
    guard let lifetime else { return true }
    return Int64(generation) + 1 >= now / max(1, lifetime.nanoseconds)
  }
}
