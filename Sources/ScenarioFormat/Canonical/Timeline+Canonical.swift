// The canonical text of the timeline, and of what its actions share with the steps of readers.

extension TimelineEntry {
  var json: JSONValue {
    var members = [JSONMember("at", .duration(at))]
    if let within { members.append(JSONMember("within", .duration(within))) }
    members.append(JSONMember("do", .text(action.word)))
    return JSONValue(.object(members + action.members))
  }
}

extension TimelineAction {
  fileprivate var members: [JSONMember] {
    switch self {
    case .notify(let count): [JSONMember("count", .number(count))]
    case .clockForward(let by), .clockBack(let by): [JSONMember("by", .duration(by))]
    case .publishFlags(let keys):
      keys.map { [JSONMember("keys", .list($0.map { .text($0) }))] } ?? []
    case .deleteFlag(let key), .defineFlag(let key), .startExperiment(let key), .stopExperiment(let key):
      [JSONMember("key", .text(key))]
    case .giveUser(let key, let user, let value):
      Self.members(key: key, user: user) + [JSONMember("value", value.json)]
    case .takeUser(let key, let user): Self.members(key: key, user: user)
    case .relaunch(let relaunch): relaunch.members
    case .consent(let isGiven): [JSONMember("given", JSONValue(.bool(isGiven)))]
    case .publish, .rollBack, .changeAudiences, .rotateETags, .invalidate, .switchUser, .signIn, .signOut,
      .sameUserAgain, .background, .foreground, .refresh, .dropSockets, .flush, .close:
      []
    }
  }

  private static func members(key: String, user: Int?) -> [JSONMember] {
    var members = [JSONMember("key", .text(key))]
    if let user { members.append(JSONMember("user", .number(user))) }
    return members
  }
}

extension RelaunchSpec {
  var members: [JSONMember] {
    var members = [JSONMember("record", .text(record.rawValue))]
    if let version { members.append(JSONMember("version", .text(version))) }
    return members
  }
}

extension GivenValue {
  fileprivate var json: JSONValue {
    switch self {
    case .bool(let flag): JSONValue(.bool(flag))
    case .integer(let number): JSONValue(integerLiteral: number)
    // The shortest text that gives the same number again, in a spelling that is also JSON's.
    case .number(let number): JSONValue(.number("\(number)"))
    case .text(let text): .text(text)
    }
  }
}
