import Foundation
import Reporting

// What a report tells of the machine that it was made on, gathered in one place. Nothing of it reaches a run.

extension Machine.Environment {
  /// Looks at this machine.
  ///
  /// - Parameter allocator: The name of the allocator.
  /// - Returns: What is known of it.
  package static func current(allocator: String) -> Machine.Environment {
    Machine.Environment(
      os: operatingSystem,
      cpu: processor,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      swift: compiler,
      allocator: allocator
    )
  }

  /// The name and version of the system, with the version of its kernel where that is another thing.
  private static var operatingSystem: String {
    #if os(Linux)
      let release = firstValue(of: "PRETTY_NAME", separator: "=", in: "/etc/os-release")
      return "\(release ?? "Linux") (kernel \(systemName.release))"
    #else
      return "\(systemName.name) \(ProcessInfo.processInfo.operatingSystemVersionString)"
    #endif
  }

  private static var processor: String {
    // Only some processors have a name there; ARM ones have numbers.
    let name = firstValue(of: "model name", separator: ":", in: "/proc/cpuinfo")
    return name.map { "\($0) (\(systemName.machine))" } ?? systemName.machine
  }

  private static var systemName: (name: String, release: String, machine: String) {
    var names = utsname()
    guard uname(&names) == 0 else { return ("unknown", "unknown", "unknown") }
    return (text(names.sysname), text(names.release), text(names.machine))
  }

  /// Returns the text in one of C's arrays of characters, which Swift imports as tuples.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns the first value of a name in a file of one `name separator value` a line.
  private static func firstValue(of name: String, separator: Character, in path: String) -> String? {
    guard let file = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in file.split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else { continue }
      return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }

  // Swift tells its version to `#if` only, so each one is asked for.
  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
