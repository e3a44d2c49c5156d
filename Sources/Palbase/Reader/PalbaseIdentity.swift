import Synchronization

/// A reader in one epoch: the signed-in user, or with no one signed in, this install (BEHAVIOUR §3, Reader).
///
/// The token is looked up when it is asked for: a reader's requests carry the newest one that the app has given for it,
/// also those that were put off until after the next reader had come.
package struct PalbaseIdentity: Sendable {
  /// The number of the epoch, which moves at every change of reader (BEHAVIOUR rule 1.4).
  package let epoch: UInt64
  /// Who the signed-in user is; nil means this install.
  package let userID: String?
  private let token: TokenHolder

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - epoch: The number of the epoch.
  ///   - user: The signed-in user; nil means this install.
  package init(epoch: UInt64, user: PalbaseUser?) {
    self.epoch = epoch
    userID = user?.id
    token = TokenHolder(user?.token ?? "")
  }

  /// The signed-in user with the newest token; nil means this install.
  package var user: PalbaseUser? {
    userID.map { PalbaseUser(id: $0, token: token.text) }
  }

  /// Gives the reader a newer token, in every copy of this value.
  func renew(_ text: String) { token.text = text }
}

/// The token of one reader in one epoch, shared by all that speak of that reader.
private final class TokenHolder: Sendable {
  private let held: Mutex<String>

  init(_ text: String) { held = Mutex(text) }

  var text: String {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
