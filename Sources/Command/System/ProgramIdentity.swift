import Foundation
import Reporting

/// What this program is.
enum ProgramIdentity {
  /// The version of all of Stampede.
  static let version = "0.1.0"

  /// Returns the version with what tells this build from others: a fingerprint of the executable, which the same
  /// sources give again.
  ///
  /// A commit would say more, but a build outside a repository has none, and asking for one at run time would tell
  /// the commit of the working directory.
  /// - Complexity: O(n) in the size of the executable.
  /// - Parameter executable: The path of the executable; nil if unknown.
  /// - Returns: The identity, whose build is `unknown` if the executable cannot be read.
  static func tool(executable: String?) -> RunResult.Tool {
    let image = executable.flatMap { try? Data(contentsOf: URL(fileURLWithPath: $0), options: .mappedIfSafe) }
    return RunResult.Tool(version: version, build: image.map(fingerprint(of:)) ?? "unknown")
  }

  /// Returns 16 hexadecimal digits of an FNV-1a that takes eight bytes at a time, since an executable has many.
  private static func fingerprint(of image: Data) -> String {
    let hash = image.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      var position = 0
      while position + 8 <= bytes.count {
        hash = (hash ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) &* 0x100_0000_01B3
        position += 8
      }
      for byte in bytes[position...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return hash
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
