#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// The lifecycle of the app this process runs.
///
/// Where there is no UIKit (Linux, command-line tools of macOS) an app has no background, and no event ever
/// comes.
public struct LiveLifecycle: Lifecycle {
  /// Creates the lifecycle.
  public init() {}

  /// Returns the events from this call on; the observer of the notifications goes with the subscription.
  public func events() -> LifecycleEvents {
    #if canImport(UIKit) && !os(watchOS)
      LifecycleEvents { continuation in
        let observer = NotificationRelay(continuation)
        observer.start()
        continuation.onTermination = { _ in observer.stop() }
      }
    #else
      LifecycleEvents { _ in }
    #endif
  }
}

#if canImport(UIKit) && !os(watchOS)
  /// Turns the two notifications of UIKit into events; immutable, so it may be told from any thread.
  private final class NotificationRelay: NSObject, Sendable {
    private let continuation: AsyncStream<LifecycleEvent>.Continuation

    init(_ continuation: AsyncStream<LifecycleEvent>.Continuation) { self.continuation = continuation }

    func start() {
      let center = NotificationCenter.default
      center.addObserver(
        self,
        selector: #selector(didEnterBackground),
        name: UIApplication.didEnterBackgroundNotification,
        object: nil
      )
      center.addObserver(
        self,
        selector: #selector(willEnterForeground),
        name: UIApplication.willEnterForegroundNotification,
        object: nil
      )
    }

    func stop() { NotificationCenter.default.removeObserver(self) }

    @objc private func didEnterBackground(_ notification: Notification) { continuation.yield(.background) }
    @objc private func willEnterForeground(_ notification: Notification) { continuation.yield(.foreground) }
  }
#endif
