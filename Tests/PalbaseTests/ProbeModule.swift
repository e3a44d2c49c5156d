import ClientCore
import Palbase
import Stagecraft

/// A module that notes what it is told.
final class ProbeModule: PalbaseModule {
  let name: String
  let journal: Journal
  private let onReader: @Sendable (PalbaseIdentity) -> Void
  private let onFlush: @Sendable () async -> Void

  init(
    _ name: String, _ journal: Journal, onReader: @escaping @Sendable (PalbaseIdentity) -> Void = { _ in },
    onFlush: @escaping @Sendable () async -> Void = {}
  ) {
    self.name = name
    self.journal = journal
    self.onFlush = onFlush
    self.onReader = onReader
  }

  func start() { journal.add("\(name) starts") }

  func readerChanged(to identity: PalbaseIdentity) {
    journal.add("\(name): \(identity.userID ?? "install") in \(identity.epoch)")
    onReader(identity)
  }

  func consentChanged(to consent: PalbaseConsent) { journal.add("\(name): analytics \(consent.analytics)") }

  func lifecycleChanged(_ event: LifecycleEvent) { journal.add("\(name): \(event)") }

  func flushBeforeClose() async {
    journal.add("\(name) flushes")
    await onFlush()
  }

  func close() { journal.add("\(name) closes") }
}
