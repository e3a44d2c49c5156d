import ClientCore
import Palbase
import Synchronization

/// An experiment's variant that a flag holds: what a read of it is an exposure to.
final class HeldExposure: Sendable {
  let flag: String
  let experiment: String
  let variant: String
  private let mark: ExposureMark
  private let recorder: ExposureRecorder

  init(
    flag: String, experiment: String, variant: String, mark: ExposureMark, recorder: ExposureRecorder
  ) {
    self.flag = flag
    self.experiment = experiment
    self.variant = variant
    self.mark = mark
    self.recorder = recorder
  }

  /// Takes note that a reader has really read the value by its key.
  ///
  /// - Complexity: O(1), without a lock; nothing but a comparison if it was recorded in this session already.
  func wasRead(by identity: PalbaseIdentity) {
    let session = recorder.exposures.session(at: recorder.clock.now)
    // Asked after the session: the epoch moves before a new reader's session begins, so a read of the old reader's value can
    // neither be recorded in the new one's session nor use up its mark.
    guard session > 0, recorder.keeper.epoch == identity.epoch, mark.claim(session) else { return }
    recorder.exposures.record(
      flag: flag, experiment: experiment, variant: variant, session: session, identity: identity,
      spawner: recorder.spawner)
  }
}

/// What the recording of an exposure needs of a client.
final class ExposureRecorder: Sendable {
  let exposures: ExposureSlot
  let keeper: IdentityKeeper
  let clock: MonotonicClock
  let spawner: any Spawner

  init(_ core: PalbaseCore) {
    exposures = core.exposures
    keeper = core.keeper
    clock = core.environment.clock
    spawner = core.environment.spawner
  }
}

/// Remembers the last session in which a flag and an experiment were recorded.
final class ExposureMark: Sendable {
  private let last = Atomic<UInt64>(0)

  func claim(_ session: UInt64) -> Bool {
    var seen = last.load(ordering: .relaxed)
    while seen < session {
      let (exchanged, original) = last.compareExchange(
        expected: seen, desired: session, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      seen = original
    }
    return false
  }
}

/// The once-ledger of exposures: one mark for each flag and experiment, whatever record they are held in.
///
/// Records come and go with every refresh, and a variant may flip; the mark stays, so that neither brings a second event in
/// one session (BEHAVIOUR §3; PostHog/posthog-ios#405, where each reload brought one). The variant is no part of the
/// key. Sessions never share a number, also not those of two readers, so marks outlive a change of reader.
final class ExposureLedger: Sendable {
  private struct Key: Hashable {
    let flag: String
    let experiment: String
  }

  private let marks = Mutex<[Key: ExposureMark]>([:])
  private let recorder: ExposureRecorder

  init(_ recorder: ExposureRecorder) { self.recorder = recorder }

  /// The exposure that a flag of a new record holds.
  ///
  /// - Complexity: O(1); takes a lock, so it is for those who read answers, never for those who read flags.
  func exposure(flag: String, experiment: String, variant: String) -> HeldExposure {
    let mark = marks.withLock { marks in
      let key = Key(flag: flag, experiment: experiment)
      if let mark = marks[key] { return mark }
      let mark = ExposureMark()
      marks[key] = mark
      return mark
    }
    return HeldExposure(
      flag: flag, experiment: experiment, variant: variant, mark: mark, recorder: recorder)
  }
}
