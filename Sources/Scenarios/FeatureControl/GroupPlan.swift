import ScenarioFormat

/// What all readers of a group share.
final class GroupPlan: Sendable {
  let group: ReaderGroup
  let steps: [PlannedStep]
  /// The number of the group in the scenario.
  let number: Int
  let instances: [AppInstance]
  let subjectCount: Int
  let storeCount: Int
  let totalWeight: Int

  init(_ group: ReaderGroup, number: Int, in world: FeatureControlWorld) {
    self.group = group
    self.number = number
    instances = world.instances
    let readers = world.scenario.readerCount
    subjectCount = world.scenario.client.subjects.count(forReaders: readers)
    storeCount = world.scenario.client.stores.count(forReaders: readers)
    steps = group.steps.map(PlannedStep.init)
    totalWeight = group.steps.reduce(0) { $0 + ($1.weight ?? 0) }
  }
}

/// One step of a group.
///
/// A class, so that the frame of a reader in the step holds a reference and not the step.
final class PlannedStep: Sendable {
  let step: ReaderStep

  init(_ step: ReaderStep) { self.step = step }

  /// Whether it is none of the steps that evaluate, invalidate or pause.
  var isRare: Bool {
    switch step.action {
    case .evaluate, .evaluateOrThrow, .invalidate, .cancel, .sleep: false
    case .recordExposure, .flush, .listNotifications, .markRead, .markAllRead, .switchUser, .read, .refresh,
      .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch, .consent, .capture:
      true
    }
  }

  /// What is asked, for the steps that ask.
  var evaluation: StepEvaluation? {
    switch step.action {
    case .evaluate(let evaluation), .evaluateOrThrow(let evaluation), .cancel(let evaluation, _): evaluation
    case .invalidate, .sleep, .recordExposure, .flush, .listNotifications, .markRead, .markAllRead,
      .switchUser, .read, .refresh, .cancelRefresh, .signIn, .signOut, .background, .foreground, .relaunch,
      .consent, .capture:
      nil
    }
  }
}
