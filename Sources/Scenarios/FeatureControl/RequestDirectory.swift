import Events
import Foundation
import LCFeatureControl
import Synchronization

/// Gives every whole request and every cache key a small number, the same whether it is met as a reader's call or as
/// the bytes of a request.
///
/// The judges compare calls with requests by these numbers, and so never have to believe the client about what it
/// asked for.
final class RequestDirectory: Sendable {
  /// Everything an evaluation depends on, as the service would read it.
  struct Shape: Hashable {
    var environment: String
    var keys: [String]
    var subjectType: String
    var subjectId: String
    var storeId: String?
    var platform: String?
    var appVersion: String?
    var attributes: FeatureControlValue?

    /// The documented cache key: the same without store, attributes and the kind of subject.
    var cacheKey: Shape {
      var key = self
      key.storeId = nil
      key.attributes = nil
      key.subjectType = ""
      return key
    }
  }

  private struct State {
    var requests: [Shape: RequestKey] = [:]
    var cacheKeys: [Shape: Int32] = [:]
  }

  private let state = Mutex(State())

  /// The numbers of a request.
  ///
  /// - Complexity: O(n) in the size of the shape.
  func key(of shape: Shape) -> RequestKey {
    state.withLock { state in
      if let known = state.requests[shape] { return known }
      let cacheKey = state.cacheKeys[shape.cacheKey] ?? Int32(state.cacheKeys.count)
      state.cacheKeys[shape.cacheKey] = cacheKey
      let key = RequestKey(request: Int32(state.requests.count), cacheKey: cacheKey)
      state.requests[shape] = key
      return key
    }
  }

  /// The numbers of a request that a client sent; nil if its body is not one.
  ///
  /// - Complexity: O(n) in the size of the body.
  func key(ofBody body: [UInt8]) -> RequestKey? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let environment = object["environment"] as? String, let keys = object["keys"] as? [String],
      let context = object["context"] as? [String: Any], let subjectType = context["subjectType"] as? String,
      let subjectId = context["subjectId"] as? String
    else { return nil }
    return key(
      of: Shape(
        environment: environment, keys: keys, subjectType: subjectType, subjectId: subjectId,
        storeId: context["storeId"] as? String, platform: context["platform"] as? String,
        appVersion: context["appVersion"] as? String,
        attributes: context["attributes"].flatMap(FeatureControlValue.init(foundation:))))
  }
}
