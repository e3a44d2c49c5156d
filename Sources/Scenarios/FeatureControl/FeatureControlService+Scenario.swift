import ScenarioFormat
import SimulatedService

extension FeatureControlService {
  /// Creates the service of a scenario.
  init(_ scenario: Scenario) {
    let inbox = scenario.service.inbox
    self.init(
      flags: scenario.service.flags, keys: scenario.client.keys, seed: scenario.seed,
      inbox: InboxPlan(
        items: inbox.items, cursors: InboxCursors(inbox.cursors), emptyCursor: inbox.emptyCursor),
      authorization: scenario.client.auth == .header ? .session(header: "X-BFF-Session") : .bearer)
  }
}

extension InboxCursors {
  fileprivate init(_ kind: CursorKind) {
    switch kind {
    case .position: self = .position
    case .item: self = .item
    case .endless: self = .endless
    }
  }
}
