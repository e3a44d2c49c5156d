import Events
import LCFeatureControl
import ScenarioFormat
import Synchronization

/// One question to the client, prepared once and asked many times.
final class Asking: Sendable {
  let keys: [String]
  /// The keys in the order in which a call's answers are told.
  let sortedKeys: [String]
  let context: FeatureControlContext
  let key: RequestKey

  init(keys: [String], context: FeatureControlContext, key: RequestKey) {
    self.keys = keys
    sortedKeys = keys.sorted()
    self.context = context
    self.key = key
  }
}

/// The prepared questions of a run; readers who ask the same share one.
final class AskingBook: Sendable {
  private struct Place: Hashable {
    let subject: Int
    let store: Int
    let keys: [String]
  }

  private let client: ClientSpec
  private let prepared = Mutex<[Place: Asking]>([:])

  init(_ client: ClientSpec) { self.client = client }

  /// The question of a subject in a store for some keys.
  func asking(subject: Int, store: Int, keys: [String], directory: RequestDirectory) -> Asking {
    prepared.withLock { prepared in
      let place = Place(subject: subject, store: store, keys: keys)
      if let known = prepared[place] { return known }
      let context = FeatureControlContext(
        subjectType: .customer, subjectId: "subject-\(subject)", storeId: "store-\(store)",
        platform: client.platform, appVersion: client.appVersion)
      let shape = RequestDirectory.Shape(
        environment: client.environment, keys: Set(keys).sorted(), subjectType: context.subjectType.rawValue,
        subjectId: context.subjectId, storeId: context.storeId, platform: context.platform,
        appVersion: context.appVersion, attributes: nil)
      let asking = Asking(keys: keys, context: context, key: directory.key(of: shape))
      prepared[place] = asking
      return asking
    }
  }
}
