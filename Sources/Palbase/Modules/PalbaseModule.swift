import ClientCore

/// The place of a module in a client, in the order in which modules hear of a change.
///
/// Analytics comes first: a new reader's exposures belong to a new session.
package enum ModuleSlot: Int, Sendable, Hashable, CaseIterable {
  /// The module of events.
  case analytics
  /// The module of flags.
  case flags
}

/// A part of the client that has a life of its own, made when it is first used.
///
/// It may hold the `PalbaseCore` but not the `PalbaseClient`, whose end is its own. Every method may be called from any
/// thread, with no lock held, and before `start` has returned.
package protocol PalbaseModule: AnyObject, Sendable {
  /// Begins the module's work; called once, after it has got its place in the client.
  ///
  /// Of two threads that make the same module at once only one gets the place: the other's is closed, not started.
  func start()

  /// Says that the reader has changed.
  ///
  /// Two threads may change the reader at once: an identity whose epoch is not newer than what the module knows is to be
  /// ignored.
  /// - Parameter identity: The new reader.
  func readerChanged(to identity: PalbaseIdentity)

  /// Says what the person allows from now on.
  ///
  /// - Parameter consent: What is allowed.
  func consentChanged(to consent: PalbaseConsent)

  /// Says that the app went to the background or comes back.
  ///
  /// - Parameter event: Which of the two.
  func lifecycleChanged(_ event: LifecycleEvent)

  /// Sends what is left, before the client closes.
  func flushBeforeClose() async

  /// Ends everything of the module at once: tasks are cancelled, waiters are answered.
  func close()
}
