/// What is held and how current it is, at one moment.
public struct FlagsStatus: Sendable, Equatable {
  /// The version of the project that the values held show; nil if nothing is held or it is not known.
  public internal(set) var version: Int64?
  /// How many flags are held.
  public internal(set) var flagCount = 0
  /// How long ago the project last confirmed the values, on a clock that goes on while the device sleeps; nil before the
  /// first time for this reader.
  public internal(set) var sinceLastSync: Duration?
  /// Whether a request is out.
  public internal(set) var isFetching = false
  /// How many calls of `refresh()` wait.
  public internal(set) var waitingRefreshes = 0
  /// Whether the record on the device is still to be brought up with the one in memory.
  public internal(set) var isWriting = false
  /// How often the record could not be written or removed so far.
  public internal(set) var failedWrites = 0
  /// How many flags of answers were skipped so far because they did not decode.
  public internal(set) var skippedFlags = 0
  /// How many records of the device were not used: damaged, of another reader, project or schema.
  public internal(set) var discardedRecords = 0
  /// Whether the debug console is open for this reader.
  public internal(set) var opensConsole = false

  /// Creates the status of a client that holds nothing.
  public init() {}
}
