/// Whose values a device shows: a signed-in user, or with nobody signed in the install itself.
///
/// Two subjects are equal if they are the same person or install; the epoch of a device, which moves at every change, even
/// back to the same subject, is not part of it.
public struct Subject: Hashable, Sendable, Comparable {
  /// The number of the user from 0, or −1 − the number of the install.
  public let rawValue: Int32

  /// Creates the subject with a raw value.
  init(rawValue: Int32) { self.rawValue = rawValue }

  /// Returns the user with a number, counted from 0.
  public static func user(_ number: Int32) -> Subject { Subject(rawValue: number) }

  /// Returns the install on an app instance.
  public static func install(_ instance: InstanceID) -> Subject { Subject(rawValue: -1 - instance.rawValue) }

  /// Whether it is an install, with nobody signed in.
  public var isInstall: Bool { rawValue < 0 }

  /// Orders installs before users, then by number.
  public static func < (left: Subject, right: Subject) -> Bool { left.rawValue < right.rawValue }
}

extension Subject: CustomStringConvertible {
  /// The subject as reports call it.
  public var description: String { isInstall ? "install \(-1 - rawValue)" : "user \(rawValue)" }
}
