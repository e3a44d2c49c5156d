import ClientCore
import Foundation

/// What proves this install to the project while no one is signed in: made once, then kept on the device.
///
/// Its description shows nothing of it (BEHAVIOUR rule 1.10).
package struct InstallIdentity: Sendable, Hashable {
  /// The name of the install: 32 hexadecimal digits.
  package let id: String
  /// What proves the name: 64 hexadecimal digits.
  package let secret: String

  /// Creates an identity from what was kept.
  ///
  /// - Parameters:
  ///   - id: The name of the install.
  ///   - secret: What proves the name.
  package init(id: String, secret: String) {
    self.id = id
    self.secret = secret
  }

  /// Makes a new identity of 128 and 256 random bits.
  ///
  /// - Parameter random: Where the bits come from.
  init(random: any RandomSource) {
    id = random.hexadecimal(words: 2)
    secret = random.hexadecimal(words: 4)
  }

  /// Reads the record of the device; nil if it is damaged.
  ///
  /// - Parameter record: The bytes of the record.
  init?(record: [UInt8]) {
    guard
      let members = try? JSONSerialization.jsonObject(with: Data(record)) as? [String: Any],
      let id = members["id"] as? String, id.isHexadecimal(digits: 32),
      let secret = members["secret"] as? String, secret.isHexadecimal(digits: 64)
    else { return nil }
    self.init(id: id, secret: secret)
  }

  /// The bytes of the device's record.
  var record: [UInt8] {
    var writer = JSONWriter()
    writer.write(["id": .string(id), "secret": .string(secret)])
    return writer.bytes
  }
}

extension InstallIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That it is an install, and no more.
  package var description: String { "an install" }
  /// That it is an install, and no more.
  package var debugDescription: String { description }
  /// A mirror without children, so that a dump shows neither name nor secret.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RandomSource {
  /// Returns random hexadecimal digits, fit for an identifier.
  ///
  /// - Complexity: O(*n*) in the number of words.
  /// - Parameter words: How many random numbers to draw; each gives 16 digits.
  /// - Returns: The digits, in lower case.
  package func hexadecimal(words: Int) -> String {
    (0..<words).map { _ in
      let digits = String(next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension String {
  fileprivate func isHexadecimal(digits: Int) -> Bool {
    utf8.count == digits
      && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
