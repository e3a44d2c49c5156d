import Synchronization

/// Says who the reader is, and moves the epoch in the very step in which that changes (BEHAVIOUR rule 1.4).
///
/// The number of the epoch can be read without a lock: what is held for an earlier one is no longer read out from the step
/// of the change on, whatever the modules have still to do about it.
package final class IdentityKeeper: Sendable {
  private let current = Mutex(PalbaseIdentity(epoch: 1, user: nil))
  @usableFromInline package let number = Atomic<UInt64>(1)

  /// Creates the keeper of an install with no one signed in, in epoch 1.
  package init() {}

  /// The number of the present epoch.
  ///
  /// - Complexity: O(1), one atomic load.
  @inlinable
  package var epoch: UInt64 { number.load(ordering: .acquiring) }

  /// The present reader.
  package var identity: PalbaseIdentity { current.withLock { $0 } }

  /// Begins the epoch of a user, also if it is the one that is signed in already.
  ///
  /// - Parameter user: Who signs in.
  /// - Returns: The reader in its new epoch.
  func signIn(_ user: PalbaseUser) -> PalbaseIdentity {
    current.withLock { change(&$0, to: user) }
  }

  /// Begins an epoch of this install.
  ///
  /// - Returns: The reader in its new epoch; nil, without a new epoch, if no one was signed in.
  func signOut() -> PalbaseIdentity? {
    current.withLock { $0.userID == nil ? nil : change(&$0, to: nil) }
  }

  /// Gives the signed-in user a newer token, without a new epoch.
  ///
  /// - Parameter token: The token.
  /// - Returns: Whether a user is signed in.
  func renew(_ token: String) -> Bool {
    current.withLock { identity in
      guard identity.userID != nil else { return false }
      identity.renew(token)
      return true
    }
  }

  private func change(_ identity: inout PalbaseIdentity, to user: PalbaseUser?) -> PalbaseIdentity {
    identity = PalbaseIdentity(epoch: identity.epoch + 1, user: user)
    number.store(identity.epoch, ordering: .releasing)
    return identity
  }
}
