import Events

/// The analytics sessions of one process, by the events that it has sent: the memory of `ExposureOnceJudge`.
struct ExposureSessions: Sendable {
  private static let length: Int64 = 30 * 60 * 1_000_000_000

  /// A time of one reader between two changes of consent.
  private struct Period {
    let subject: Subject
    /// The number of the reader's time.
    let turn: Int
    let began: Int64
    /// The sessions of the events that are certainly of it.
    var sessions: [UInt64] = []
  }

  /// What is known of an event of the workload until it is sent.
  private struct Recording {
    /// The index of its period; nil while the reader changed.
    let period: Int?
    let stretch: Int
    let at: Int64
  }

  private struct Session {
    var subject: Subject?
    var turn: Int?
    var stretch: Int?
    var exposures: [(flag: Int32, assignment: Int32?)] = []
    /// When its first event was recorded at the latest, and its last at the earliest.
    var begunBy = Int64.max
    var alive = Int64.min
  }

  let process: Int
  private var periods: [Period] = []
  private var turn = 0
  /// The number of the present stretch without a pause of more than thirty minutes.
  private var stretch = 0
  private var touched: Int64
  private var recordings: [UInt64: Recording] = [:]
  private var sessions: [UInt64: Session] = [:]
  /// The ids of the events that were sent.
  private var sent: Set<UInt64> = []

  init(process: Int, subject: Subject, at now: Int64) {
    self.process = process
    touched = now
    periods.append(Period(subject: subject, turn: 0, began: now))
  }

  // MARK: What happens on the device

  /// Takes in that somebody does something that may count as activity.
  mutating func touch(at now: Int64) {
    if now - touched > Self.length { stretch += 1 }
    touched = now
  }

  /// Takes in that a new period begins, of another reader unless `subject` is nil.
  mutating func turn(to subject: Subject?, at now: Int64) {
    touch(at: now)
    if subject != nil { turn += 1 }
    periods.append(Period(subject: subject ?? periods[periods.count - 1].subject, turn: turn, began: now))
  }

  mutating func record(_ number: UInt64, isChanging: Bool, at now: Int64) {
    recordings[number] = Recording(
      period: isChanging ? nil : periods.count - 1, stretch: stretch, at: now)
  }

  // MARK: What it sends

  /// Returns whether an event is sent for the first time, and remembers it.
  mutating func isNew(_ event: AnalyticsEvent) -> Bool { sent.insert(event.id).inserted }

  /// Takes in an event that is sent for the first time.
  ///
  /// - Returns: What is wrong with it, as a predicate; nil if nothing is.
  mutating func take(
    _ event: AnalyticsEvent, of subject: Subject?, _ experiments: ExperimentBook, at now: Int64
  ) -> String? {
    var session = sessions[event.session] ?? Session()
    var fault: String?
    if let subject {
      if let other = session.subject, other != subject { fault = "is of a session of \(other)" }
      session.subject = subject
    }
    var period: Int?
    switch event.kind {
    case .exposure(let flag, let assignment):
      if session.exposures.contains(where: { isSame($0, (flag, assignment), experiments) }) {
        fault = fault ?? "was recorded before in its session"
      }
      session.exposures.append((flag, assignment))
      period = onlyPeriod(of: subject)
      if let period {
        session.begunBy = min(session.begunBy, now)
        session.alive = max(session.alive, periods[period].began)
      }
    case .captured(let number):
      guard let recording = recordings.removeValue(forKey: number), let own = recording.period else { break }
      period = own
      session.begunBy = min(session.begunBy, recording.at)
      session.alive = max(session.alive, recording.at)
      fault = fault ?? place(recording, in: periods[own], &session)
    case .other: break
    }
    sessions[event.session] = session
    if let period { fault = fault ?? compare(event.session, in: period) }
    return fault
  }

  private func isSame(
    _ left: (flag: Int32, assignment: Int32?), _ right: (flag: Int32, assignment: Int32?),
    _ experiments: ExperimentBook
  ) -> Bool {
    guard left.flag == right.flag else { return false }
    guard let first = left.assignment, let second = right.assignment else {
      return left.assignment == right.assignment
    }
    return experiments.areOfOneExperiment(first, second)
  }

  /// Holds an event of the workload against what its session is known to be.
  private func place(_ recording: Recording, in period: Period, _ session: inout Session) -> String? {
    defer {
      session.turn = period.turn
      session.stretch = recording.stretch
    }
    if let turn = session.turn, turn != period.turn {
      return "is of a session from before a change of reader"
    }
    if let stretch = session.stretch, stretch != recording.stretch {
      return "is of a session from before a pause of more than 30 minutes"
    }
    return nil
  }

  /// The only period of a reader in this process; nil if there were several, or none.
  private func onlyPeriod(of subject: Subject?) -> Int? {
    guard let subject else { return nil }
    let fitting = periods.indices.filter { periods[$0].subject == subject && !isFormality($0) }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// Whether a period was over in the instant in which it began, as the one from a launch to the consent that was given
  /// at a former one.
  private func isFormality(_ index: Int) -> Bool {
    index + 1 < periods.count && periods[index + 1].began == periods[index].began
      && periods[index + 1].turn == periods[index].turn
  }

  /// Holds a session against the others of its period.
  private mutating func compare(_ session: UInt64, in period: Int) -> String? {
    if !periods[period].sessions.contains(session) { periods[period].sessions.append(session) }
    guard let own = sessions[session] else { return nil }
    for other in periods[period].sessions where other != session {
      guard let rest = sessions[other] else { continue }
      if own.begunBy - rest.alive < Self.length, rest.begunBy - own.alive < Self.length {
        return "has another session than what was recorded less than 30 minutes before or after it"
      }
    }
    return nil
  }
}
