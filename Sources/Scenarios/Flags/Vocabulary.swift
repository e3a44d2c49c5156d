import ClientCore
import Events
import SimulatedService
import Synchronization

/// Gives every flag, context, assignment and credential of a run a small number, the same whether it is met in the
/// service's truth, in the bytes of a request or in what a client gives to a reader.
///
/// The judges compare these numbers, and so never have to believe the client about what it holds.
final class Vocabulary: Sendable {
  private struct State {
    var flags: [String: Int32] = [:]
    var contexts: [[String]: Int32] = [:]
    var assignments: [[String]: Int32] = [:]
    /// Which app instance an install id was first seen on.
    var installs: [String: InstanceID] = [:]
  }

  private let state = Mutex(State())

  /// The number of a flag's key.
  func flag(_ key: String) -> Int32 {
    state.withLock { state in
      let number = state.flags[key] ?? Int32(state.flags.count)
      state.flags[key] = number
      return number
    }
  }

  /// The number of a context.
  func context(platform: String, appVersion: String, language: String) -> Int32 {
    state.withLock { state in
      let fields = [platform, appVersion, language]
      let number = state.contexts[fields] ?? Int32(state.contexts.count)
      state.contexts[fields] = number
      return number
    }
  }

  /// The number of a variant of an experiment; nil where there is none.
  func assignment(_ experiment: String?, _ variant: String?) -> Int32? {
    guard let experiment, let variant else { return nil }
    return state.withLock { state in
      let number = state.assignments[[experiment, variant]] ?? Int32(state.assignments.count)
      state.assignments[[experiment, variant]] = number
      return number
    }
  }

  /// The subject whose install id this is; the first instance that shows it is the one it was made on.
  func install(_ id: String, seenOn instance: InstanceID) -> Subject {
    state.withLock { state in
      let owner = state.installs[id] ?? instance
      state.installs[id] = owner
      return .install(owner)
    }
  }

  /// The subject whose install id this is; nil if it was never seen.
  func install(_ id: String) -> Subject? { state.withLock { $0.installs[id].map { .install($0) } } }

  /// The id of an install; nil if it has shown itself to nobody yet.
  func installID(of subject: Subject) -> String? {
    state.withLock { state in
      state.installs.filter { Subject.install($0.value) == subject }.map(\.key).min()
    }
  }

  /// The subject with an id of the service's; nil if it is neither a user of the run nor a known install.
  func subject(ofID id: String) -> Subject? { UserName(id: id).map { .user($0.number) } ?? install(id) }

  /// A text as a number that equal texts share.
  static func number(of text: String) -> UInt64 {
    var digest = Digest()
    digest.mix(text)
    return digest.rawValue
  }

  /// Bytes as a number that equal ones share.
  static func number(of bytes: [UInt8]) -> UInt64 {
    var digest = Digest()
    digest.mix(UInt64(bytes.count))
    for byte in bytes { digest.mix(UInt64(byte)) }
    return digest.rawValue
  }
}

/// The name of a user of the run, and the tokens that the user is given.
struct UserName: Sendable, Equatable {
  let number: Int32

  init(_ number: Int) { self.number = Int32(number) }

  /// Reads an id; nil if it is no user's of the run.
  init?(id: String) {
    guard id.hasPrefix("user-"), let number = Int32(id.dropFirst("user-".count)) else { return nil }
    self.number = number
  }

  /// Reads a token; nil if it is none of the run's.
  init?(token: Substring) {
    guard let dot = token.lastIndex(of: ".") else { return nil }
    self.init(id: String(token[..<dot]))
  }

  /// The id by which the service knows the user.
  var id: String { "user-\(number)" }

  /// The token of a generation.
  func token(generation: Int) -> String { "\(id).\(generation)" }
}
