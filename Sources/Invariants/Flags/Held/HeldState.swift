import Events

/// What a device may hold: the client's one record as far as it shows outside.
struct HeldState: Sendable, Equatable {
  /// Whether a delta may be asked onto the version.
  enum Base: Sendable, Equatable {
    /// There is no version of this reader and context.
    case none
    /// The version is a base.
    case valid
    /// The service has answered 410: the version is only the floor still (BEHAVIOUR §3, "after 410").
    case gone
  }

  /// The device's epoch that it belongs to.
  let epoch: Int
  /// The version held; nil for none.
  var version: Int64?
  /// All values; nil where the run cannot tell.
  var content: ContentDigest?
  var base: Base
  /// The least version that an answer must have to be applied.
  var floor: Int64
  /// Whether the client says the version when it is looked at; with values of another context it may say either.
  var saysVersion = true
  /// The entity tags that name exactly these values; nil where the run does not know them.
  var etags: [UInt64]?
  /// Whether these are all values that the service resolved, none skipped.
  var isExact: Bool
  /// The values by flag; nil for a record that was on the device before the run.
  var table: FlagTable?

  /// A record without anything, as at a first launch or right after a change of reader.
  init(nothingIn epoch: Int) {
    self.epoch = epoch
    version = nil
    content = .empty
    base = .none
    floor = .min
    etags = []
    isExact = false
    table = .empty
  }

  /// A record that was found on the device.
  ///
  /// - Parameters:
  ///   - stored: What the record says.
  ///   - known: What the run knows of a record with this content; nil if it never saw one written.
  ///   - epoch: The epoch that it is loaded in.
  ///   - isOfThisContext: Whether the app's context is the record's, so that version and tag are used.
  init(_ stored: StoredFlags, known: HeldState?, epoch: Int, isOfThisContext: Bool) {
    self.epoch = epoch
    version = stored.version
    content = stored.content
    base = isOfThisContext ? .valid : .none
    floor = isOfThisContext ? stored.version : .min
    saysVersion = isOfThisContext
    etags = isOfThisContext ? known?.etags : []
    isExact = isOfThisContext && known?.isExact == true
    table = known?.table ?? (stored.content == .empty ? .empty : nil)
  }

  /// Whether nothing has filled it.
  var isNothing: Bool { version == nil }

  /// Whether a client that holds this may show that.
  func shows(_ held: HeldFlags) -> Bool {
    (content == nil || held.content == content) && (held.version == version || !saysVersion)
  }

  /// Whether a record with this content may be of this state.
  func isStored(as stored: StoredFlags) -> Bool {
    stored.version == version && (content == nil || stored.content == content)
  }

  /// Whether a client that holds this may give that to a reader.
  ///
  /// By key, a method returns the values of its type only; `int` takes a whole number, `number` takes both kinds, `decode`
  /// and `value` take anything (BEHAVIOUR §3, "Reads").
  func gives(_ read: FlagRead) -> Bool {
    if case .all(let content) = read.result {
      return self.content == nil || content == self.content
    }
    guard let table else { return true }
    let value = table[read.flag]
    switch read.method {
    case .all: return false
    case .source: return read.result == (value.map { .source($0.source) } ?? .absent)
    case .bool, .string, .number, .int, .decode, .value:
      let fitting = value.flatMap { $0.type.isRead(by: read.method) ? $0 : nil }
      return read.result == (fitting.map { .value($0.digest) } ?? .absent)
    }
  }
}

extension ValueType {
  /// Whether a by-key method returns values of this type.
  func isRead(by method: ReadMethod) -> Bool {
    switch method {
    case .bool: self == .bool
    case .string: self == .string
    case .number: self == .integer || self == .fraction
    case .int: self == .integer
    case .decode, .value: true
    case .all, .source: false
    }
  }
}
