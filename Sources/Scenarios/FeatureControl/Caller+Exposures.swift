import Events
import LCFeatureControl
import Synchronization

extension Caller {
  /// Records one exposure, which no other of the run equals.
  ///
  /// - Parameters:
  ///   - key: The flag that the reader was exposed to.
  ///   - store: The number of the reader's store.
  func recordExposure(of key: String, inStore store: Int) async {
    let number = world.basis.recordings.add(1, ordering: .relaxed).newValue
    await plainCall(.recordExposure) { [world, instance, group] call in
      world.witness.note(.exposureRecorded(call.id, instance.id, number))
      world.ledger.exposureRecorded(group.number, at: call.began)
      await instance.manager.recordExposure(
        FeatureControlExposureEvent(
          featureKey: key, variant: "on", subjectType: .customer, storeId: "store-\(store)",
          attributes: ["number": .number(Double(number))]))
      return .finished
    }
  }

  /// Flushes the exposures of the reader's app instance.
  func flush() async {
    await plainCall(.flush) { [instance] _ in
      await instance.manager.flushExposures()
      return .finished
    }
  }

  /// Signs the next user in on the reader's app instance, as an app does: the session first, then the cache.
  func switchUser() async {
    instance.session.switchUser()
    await invalidate()
  }
}
