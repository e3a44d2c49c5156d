// The canonical text of readers' steps.

extension ReaderStep {
  var json: JSONValue {
    var members = [JSONMember("step", .text(action.word))] + action.members
    if let weight { members.append(JSONMember("weight", .number(weight))) }
    members.append(JSONMember("think", think.json))
    return JSONValue(.object(members))
  }
}

extension StepAction {
  fileprivate var members: [JSONMember] {
    switch self {
    case .evaluate(let evaluation), .evaluateOrThrow(let evaluation): return evaluation.members
    case .cancel(let evaluation, let after): return evaluation.members + [JSONMember("after", after.json)]
    case .cancelRefresh(let after): return [JSONMember("after", after.json)]
    case .sleep(let duration): return [JSONMember("duration", duration.json)]
    case .recordExposure(let count), .capture(let count): return [JSONMember("count", .number(count))]
    case .listNotifications(let unreadOnly, let limit, let atMost):
      var members = [
        JSONMember("status", .text(unreadOnly ? "unread" : "all")), JSONMember("limit", .number(limit)),
      ]
      if let atMost { members.append(JSONMember("atMost", .number(atMost))) }
      return members
    case .read(let read): return read.members
    case .relaunch(let relaunch): return relaunch.members
    case .consent(let isGiven): return [JSONMember("given", JSONValue(.bool(isGiven)))]
    case .invalidate, .flush, .markRead, .markAllRead, .switchUser, .refresh, .signIn, .signOut, .background,
      .foreground:
      return []
    }
  }
}

extension StepEvaluation {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("keys", .list(keys.map { .text($0) })),
      JSONMember("switchStore", JSONValue(.bool(switchesStore))),
    ]
  }
}

extension ReadStep {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("keys", .list(keys.map { .text($0) })), JSONMember("as", .text(how.rawValue)),
      JSONMember("count", .number(count)),
    ]
  }
}
