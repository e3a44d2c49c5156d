import ClientCore
import Synchronization

/// Loads the install's identity when it is first needed, or makes it, once for all who wait.
///
/// A new identity is used only after the storage has taken it or refused to: a request that carries one which the next
/// launch does not know would make a second install of one. Three things may stand in the way:
/// - The record is damaged: another identity takes its place, and that is counted.
/// - The record cannot be read: it may be sound, so it is left alone, and an identity for this launch is made.
/// - The new record cannot be written: the identity holds for this launch all the same.
///
/// The loading belongs to the client: it goes on when the request that asked for it has given up.
final class InstallKeeper: Sendable {
  /// The name of the record.
  static let recordName: RecordName = "palbase.install"

  private typealias Waiter = CheckedContinuation<InstallIdentity?, Never>

  private enum Phase {
    case untouched
    case loading
    case known(InstallIdentity)
    case closed
  }

  private struct State {
    var phase = Phase.untouched
    var waiters: [(number: UInt64, waiter: Waiter)] = []
    var count: UInt64 = 0
    var damaged = 0

    mutating func takeWaiters() -> [Waiter] {
      defer { waiters = [] }
      return waiters.map(\.waiter)
    }
  }

  private let wiring: Wiring
  private let state = Mutex(State())

  init(_ wiring: Wiring) { self.wiring = wiring }

  private var configuration: PalbaseConfiguration { wiring.configuration }
  private var environment: ClientEnvironment { wiring.environment }

  /// How many records were damaged.
  var damagedRecords: Int { state.withLock { $0.damaged } }

  /// The identity, if it is loaded or made by now.
  var known: InstallIdentity? {
    state.withLock { if case .known(let identity) = $0.phase { identity } else { nil } }
  }

  /// Returns the identity, loading or making it first if it must be.
  ///
  /// - Returns: The identity; nil if the calling task was cancelled or the client closed first.
  func identity() async -> InstallIdentity? {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        enum Step { case answer(InstallIdentity?), load, wait }
        let step = state.withLock { state -> Step in
          // A task is marked cancelled before its handler runs: either this sees the mark or `leave` finds the waiter.
          if Task.isCancelled { return .answer(nil) }
          switch state.phase {
          case .known(let identity): return .answer(identity)
          case .closed: return .answer(nil)
          case .loading:
            state.waiters.append((number, waiter))
            return .wait
          case .untouched:
            state.phase = .loading
            state.waiters.append((number, waiter))
            return .load
          }
        }
        switch step {
        case .answer(let identity): waiter.resume(returning: identity)
        case .load: _ = environment.spawner.spawn { [self] in await load() }
        case .wait: break
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0).waiter }
      }
      waiter?.resume(returning: nil)
    }
  }

  /// Answers all who wait, for good.
  func close() {
    let waiters = state.withLock { state in
      state.phase = .closed
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  private func load() async {
    let identity = await loaded()
    let waiters = state.withLock { state -> [Waiter] in
      guard case .loading = state.phase else { return [] }
      state.phase = .known(identity)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume(returning: identity) }
  }

  private var isLoading: Bool {
    state.withLock { if case .loading = $0.phase { true } else { false } }
  }

  private func loaded() async -> InstallIdentity {
    do {
      if let record = try await environment.storage.read(Self.recordName) {
        if let identity = InstallIdentity(record: record) { return identity }
        state.withLock { $0.damaged += 1 }
        configuration.log("the install's record is damaged; this device is a new install from now on")
      }
    } catch {
      configuration.log(
        "the install's record cannot be read (\(error)); this device is a new install for this launch")
      return InstallIdentity(random: environment.random)
    }
    let identity = InstallIdentity(random: environment.random)
    // A client that has closed meanwhile leaves nothing behind, and nobody has seen this identity.
    guard isLoading else { return identity }
    do {
      try await environment.storage.replace(Self.recordName, with: identity.record)
    } catch {
      configuration.log(
        "the install's record cannot be written (\(error)); this device is a new install for this launch")
    }
    return identity
  }
}
