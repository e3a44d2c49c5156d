import ClientCore

/// A view of what the flags module holds, as text, for the one user to whom the project has opened it.
///
/// It shows values: it is for the person who reads it, never for a log.
public struct FlagsDebugConsole: Sendable, CustomStringConvertible {
  /// One flag as it is held.
  public struct Row: Sendable, Equatable {
    /// The flag's key.
    public let key: String
    /// Its value.
    public let value: FlagValue
    /// What gave the value.
    public let source: FlagSource
    /// The experiment and the variant, if one gave the value.
    public let experiment: (name: String, variant: String)?

    /// Returns whether two rows show the same.
    public static func == (left: Row, right: Row) -> Bool {
      left.key == right.key && left.value == right.value && left.source == right.source
        && left.experiment?.name == right.experiment?.name
        && left.experiment?.variant == right.experiment?.variant
    }
  }

  /// The key of the flag that opens the console.
  public static let key = "palbase.debug_console"

  /// The flags, in the order of their keys.
  public let rows: [Row]
  /// What is held and how current it is.
  public let status: FlagsStatus

  init(record: FlagsRecord, status: FlagsStatus) {
    rows = record.values.sorted { $0.key < $1.key }.map { key, flag in
      var experiment: (name: String, variant: String)?
      if case .experiment(let exposure) = flag.origin {
        experiment = (exposure.experiment, exposure.variant)
      }
      return Row(key: key, value: flag.value, source: flag.source, experiment: experiment)
    }
    self.status = status
  }

  /// The console as lines of text.
  ///
  /// - Complexity: O(n) in the size of the values.
  public var text: String {
    let version = status.version.map(String.init) ?? "unknown"
    let age = status.sinceLastSync.map { "\($0) ago" } ?? "not yet"
    var lines = [
      "flags: \(rows.count), version \(version), last sync \(age)",
      "queue: \(status.isFetching ? "a fetch under way" : "no fetch"), "
        + "\(status.waitingRefreshes == 1 ? "1 refresh" : "\(status.waitingRefreshes) refreshes") waiting, "
        + (status.isWriting ? "a write waiting" : "no write"),
      "counts: \(status.skippedFlags) flags skipped, \(status.discardedRecords) records discarded, "
        + "\(status.failedWrites) writes failed",
    ]
    for row in rows {
      var writer = JSONWriter()
      writer.write(row.value)
      let origin = row.experiment.map { "\(row.source) \($0.name)/\($0.variant)" } ?? "\(row.source)"
      lines.append("\(row.key) = \(String(decoding: writer.bytes, as: UTF8.self)) (\(origin))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The console as lines of text.
  public var description: String { text }
}

extension FlagsRecord {
  /// Whether the debug console is open: by the user's own value and by nothing else.
  var opensConsole: Bool {
    guard let flag = values[FlagsDebugConsole.key], case .user = flag.origin else { return false }
    return flag.value == .bool(true)
  }
}
