import Events

/// What the shadow knows of one device.
struct DeviceRecord: Sendable {
  let instance: InstanceID
  /// The number of its present process, from 1; 0 before the first.
  var process = 0
  /// The number of its present epoch; moves at every launch and at the beginning of every change of reader, and is unique
  /// for the device.
  var epoch = 0
  /// Whose values it shows from the beginning of the latest change on.
  var subject: Subject?
  /// Whose values it showed before the latest change in this process; nil where there was none.
  var previousSubject: Subject?
  /// Whether a change of reader is under way, so that either epoch is the device's.
  var isChanging = false
  /// When the present epoch began, in nanoseconds.
  var epochBegan: Int64 = 0
  /// The number of the context of its present process.
  var context: Int32?
  /// Whether a process runs; false between a kill and the next launch.
  var isRunning = false
  /// Whether the client has read its record.
  var hasStarted = false
  var isClosed = false
  var hasConsent = false
  var usesAnalytics = false
  /// What it may hold.
  var held = HeldBook()
  /// Its sync requests that were started and neither completed nor asked to be cancelled, in the order of their starts.
  var outstanding: [RequestID] = []
  /// When a `refresh()` of it was cancelled last.
  var refreshCancelled: Int64 = .min
  /// The greatest version that a notice has told its present process of.
  var noticed: Int64 = 0
  /// The epoch in which its present process was launched.
  private(set) var firstEpoch = 0

  init(_ instance: InstanceID) { self.instance = instance }

  mutating func launch(_ subject: Subject, _ context: Int32, at now: Int64) {
    process += 1
    epoch += 1
    epochBegan = now
    self.subject = subject
    previousSubject = nil
    isChanging = false
    self.context = context
    isRunning = true
    hasStarted = false
    isClosed = false
    hasConsent = false
    usesAnalytics = false
    firstEpoch = epoch
    noticed = 0
    outstanding = []
    held.launch(epoch)
  }

  mutating func end() {
    isRunning = false
    outstanding = []
    held.end()
  }

  mutating func beginChange(to subject: Subject, at now: Int64) {
    previousSubject = self.subject
    self.subject = subject
    epoch += 1
    epochBegan = now
    isChanging = true
    held.beginChange(to: epoch)
  }

  mutating func endChange() {
    isChanging = false
    held.endChange(to: epoch)
  }

  /// The values that the device may hold for a flag at this moment; none if it certainly holds none.
  ///
  /// What it holds of a record that was there before the run is not known by flag: see `holdsUnknownValues`.
  /// - Complexity: O(log n) in the number of flags.
  func mayHold(_ flag: Int32) -> [FlagValue] {
    var values: [FlagValue] = []
    for state in held.states {
      if let value = state.table?[flag], !values.contains(value) { values.append(value) }
    }
    return values
  }

  /// Whether the device may hold values that the run cannot tell by flag.
  var holdsUnknownValues: Bool { held.mayHold { $0.table == nil } }
}
