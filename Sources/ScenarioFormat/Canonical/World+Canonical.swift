// The canonical text of what surrounds the readers: authorization, inbox, project, faults, fleet.

extension AuthSpec {
  var json: JSONValue {
    switch self {
    case .header: return "header"
    case .bearer(let latency, let lifetime):
      var members = [JSONMember("latency", latency.json)]
      if let lifetime { members.append(JSONMember("lifetime", .duration(lifetime))) }
      return ["bearer": JSONValue(.object(members))]
    }
  }
}

extension ServiceSpec {
  var json: JSONValue {
    // Each kind of client has a part of the service to itself.
    let own = project.map { JSONMember("project", $0.json) } ?? JSONMember("inbox", inbox.json)
    return JSONValue(
      .object([JSONMember("flags", .number(flags)), JSONMember("latency", latency.json), own]))
  }
}

extension InboxSpec {
  fileprivate var json: JSONValue {
    [
      "items": .number(items), "cursors": .text(cursors.rawValue),
      "emptyCursor": JSONValue(.bool(emptyCursor)),
    ]
  }
}

extension ProjectSpec {
  fileprivate var json: JSONValue {
    [
      "experiments": .list(experiments.map { .text($0) }), "deletionLog": .number(deletionLog),
      "audiences": JSONValue(.bool(audiences)), "conditions": JSONValue(.bool(conditions)),
    ]
  }
}

extension FleetSpec {
  var json: JSONValue {
    [
      "alpha": JSONValue(.number(DecimalText.text(of: alphaThousandths, decimals: 3))),
      "beta": JSONValue(.number(DecimalText.text(of: betaThousandths, decimals: 3))),
      "jitterWindow": .duration(jitterWindow),
    ]
  }
}

extension FaultSpec {
  var json: JSONValue {
    var members = [JSONMember("name", .text(name)), JSONMember("match", match.json)]
    members.append(JSONMember("from", .duration(from)))
    if let until { members.append(JSONMember("until", .duration(until))) }
    if let firstN { members.append(JSONMember("firstN", .number(firstN))) }
    members.append(
      JSONMember("probability", JSONValue(.number(DecimalText.text(of: probability.millionths, decimals: 6))))
    )
    return JSONValue(.object(members + effect.members))
  }
}

extension FaultMatch {
  fileprivate var json: JSONValue {
    var members: [JSONMember] = []
    if !endpoints.isEmpty {
      members.append(JSONMember("endpoint", .list(endpoints.map { .text($0.rawValue) })))
    }
    if !groups.isEmpty { members.append(JSONMember("group", .list(groups.map { .text($0) }))) }
    if let instances {
      members.append(
        JSONMember("instances", ["from": .number(instances.lowerBound), "to": .number(instances.upperBound)]))
    }
    return JSONValue(.object(members))
  }
}

extension FaultEffect {
  fileprivate var members: [JSONMember] {
    switch self {
    case .status(let status, let retryAfter, let code):
      var members = [JSONMember("status", .number(status))]
      if let retryAfter { members.append(JSONMember("retryAfter", retryAfter.json)) }
      if let code { members.append(JSONMember("code", .text(code))) }
      return members
    case .lose(let part): return [JSONMember("lose", .text(part.rawValue))]
    case .body(let body): return [JSONMember("body", .text(body.rawValue))]
    case .hang: return [JSONMember("hang", true)]
    case .latency(let latency): return [JSONMember("latency", latency.json)]
    case .late(let latency): return [JSONMember("late", latency.json)]
    case .duplicate: return [JSONMember("duplicate", true)]
    case .reorder: return [JSONMember("reorder", true)]
    case .offline: return [JSONMember("offline", true)]
    case .flapping(let up, let down):
      return [JSONMember("flapping", ["up": .duration(up), "down": .duration(down)])]
    case .authorization(.none): return [JSONMember("authorization", "none")]
    case .authorization(.throwing): return [JSONMember("authorization", "throws")]
    case .authorization(.slow(let latency)): return [JSONMember("authorization", ["slow": latency.json])]
    case .lag(let versions): return [JSONMember("lag", .number(versions))]
    case .gone(let reason): return [JSONMember("gone", .text(reason.rawValue))]
    case .notModified: return [JSONMember("notModified", true)]
    case .realtime(let fault): return [JSONMember("realtime", .text(fault.rawValue))]
    case .earlyNotice(let latency): return [JSONMember("earlyNotice", latency.json)]
    case .disk(let fault): return [JSONMember("disk", fault.json)]
    }
  }
}

extension DiskFault {
  fileprivate var json: JSONValue {
    switch self {
    case .full: "full"
    case .torn: "torn"
    case .unreadable: "unreadable"
    case .slow(let latency): ["slow": latency.json]
    }
  }
}

extension RetryAfterForm {
  fileprivate var json: JSONValue {
    switch self {
    case .seconds(let delay): ["seconds": .duration(delay)]
    case .httpDate(let delay): ["http-date": .duration(delay)]
    case .bareDate(let delay): ["bare-date": .duration(delay)]
    case .iso8601(let delay): ["iso-8601": .duration(delay)]
    case .garbled: "garbled"
    case .negative: "negative"
    case .past: "past"
    case .huge: "huge"
    }
  }
}
