// From JSON to a scenario, with every problem reported at once.
//
// Each function returns nil for what it has reported, and goes on with the rest. What depends on several
// values is checked only where all of them are known, so that one mistake gives one message. A scenario
// exists at the end exactly if nothing was reported.

/// A decoder of one file.
struct ScenarioDecoder {
  var log: ProblemLog

  /// The kind of client, which says what there may be; nil if it is not known.
  var kind: ClientSpec.Kind?
  /// The client's keys, for steps that name some of them; nil if they are not known.
  var clientKeys: [String]?
  /// The client's stores, for steps that switch them; nil if they are not known.
  var stores: Population?
  /// Where steps switch stores.
  var storeSwitches: [LocatedValue] = []
  /// The clock; nil if it is not known.
  var clock: ScenarioClock?
  /// How requests are authorized; nil if it is not known.
  var auth: AuthSpec?
  /// Whether the client has a socket; nil if it is not known.
  var usesRealtime: Bool?
  /// How many users there are; nil if it is not known.
  var users: Int?
  /// The steps that look into the inbox.
  var inboxSteps: [LocatedValue] = []

  /// Creates a decoder that adds to the problems found so far.
  init(log: ProblemLog) { self.log = log }

  /// Decodes the file as a whole.
  mutating func decodeScenario(_ json: JSONValue, overrides: [String]) -> Scenario? {
    guard let file = open(LocatedValue(json: json, path: ""), as: .scenario) else { return nil }
    _ = text("$schema", in: file)
    let name = decodeName(in: file)
    let description = text("description", in: file)
    let seed = count("seed", in: file)
    clock = word("clock", in: file, as: ScenarioClock.self)
    let schedule = word("schedule", in: file, as: SchedulePick.self)
    let client = file.value("client").flatMap { decodeClient($0) }
    let service = file.value("service").flatMap { decodeService($0) }
    let network = file.value("network").flatMap { decodeNetwork($0) }
    let groups = decodeGroups(in: file)
    users = groups.flatMap { groups in
      client?.subjects.count(forReaders: groups.reduce(0) { $0 + $1.executor.peakReaders })
    }
    let warmup = duration("warmup", in: file)
    let timeline = decodeTimeline(in: file)
    let heal = decodeHeal(in: file)
    let scope = FaultScope(groups: groupNames(in: file), instances: client?.instances, heal: heal ?? nil)
    let faults = decodeFaults(in: file, scope: scope)
    let fleet = decodeFleet(in: file)
    let invariants = decodeInvariants(in: file)
    let requirements = decodeRequirements(in: file, selection: invariants)
    let thresholds = decodeThresholds(in: file, groups: groups?.map(\.name))
    checkInstances(of: client, groups: groups, in: file)
    checkStores(groups: groups)
    checkInbox()
    checkFleet(fleet, in: file)

    guard log.isEmpty, let name, let description, let seed, let clock, let schedule, let client, let service,
      let network, let groups, let warmup, let timeline, let faults, let heal, let fleet, let invariants,
      let requirements, let thresholds
    else { return nil }
    return Scenario(
      name: name,
      description: description,
      seed: UInt64(seed),
      clock: clock,
      schedule: schedule,
      client: client,
      service: service,
      network: network,
      groups: groups,
      warmup: warmup,
      timeline: timeline,
      faults: faults,
      heal: heal,
      fleet: fleet,
      invariants: invariants,
      requirements: requirements,
      thresholds: thresholds,
      overrides: overrides
    )
  }

  private mutating func decodeName(in file: ObjectReader) -> String? {
    guard let name = text("name", in: file), let value = file.value("name") else { return nil }
    guard name.utf8.count <= Bounds.nameLength else {
      log.report("the name is longer than \(Bounds.nameLength) characters", at: value)
      return nil
    }
    guard name.unicodeScalars.allSatisfy({ Self.mayStandInName($0) }) else {
      let fitting = name.lowercased().map { character in
        character.unicodeScalars.allSatisfy { Self.mayStandInName($0) } ? character : "-"
      }
      log.report(
        "the name \(Shown.text(name)) has other characters than a–z, 0–9 and \"-\"",
        at: value,
        suggestion: "write \(Shown.text(String(fitting)))"
      )
      return nil
    }
    if FieldTable.reservedNames.contains(name) {
      log.report(
        "the name \"\(name)\" is reserved for a folder below Reports",
        at: value,
        suggestion: "choose another one"
      )
      return nil
    }
    return name
  }

  static func mayStandInName(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
  }

  private mutating func checkInstances(of client: ClientSpec?, groups: [ReaderGroup]?, in file: ObjectReader)
  {
    guard let client, let groups, let object = file.value("client") else { return }
    let readers = groups.reduce(0) { $0 + $1.executor.peakReaders }
    guard client.instances > readers, let instances = member("instances", of: object) else { return }
    log.report(
      "\(client.instances) instances for \(readers) readers",
      at: instances,
      suggestion: "write 1 to \(readers)"
    )
  }

  private mutating func checkStores(groups: [ReaderGroup]?) {
    guard let groups, let stores else { return }
    guard stores.count(forReaders: groups.reduce(0) { $0 + $1.executor.peakReaders }) < 2 else { return }
    for value in storeSwitches {
      log.report(
        "there is only one store to switch to",
        at: value,
        suggestion: "set client.stores to \"per-reader\" or to a number from 2"
      )
    }
  }

  /// Reports the first step that asks for the inbox without a token: the seed's routes know no other way in.
  private mutating func checkInbox() {
    guard case .header? = auth, let first = inboxSteps.first else { return }
    log.report(
      "the inbox takes a bearer token only, and the client authorizes by a fixed header",
      at: first,
      suggestion: Self.bearerRemedy
    )
  }

  /// The names of the groups, whatever is wrong with the groups themselves; nil if there are none.
  private func groupNames(in file: ObjectReader) -> [String]? {
    guard case .object(let members)? = file.value("readers")?.json.content else { return nil }
    return members.map(\.key)
  }

  /// Returns the member of an object that the file has written.
  private func member(_ key: String, of object: LocatedValue) -> LocatedValue? {
    guard case .object(let members) = object.json.content else { return nil }
    return members.first { $0.key == key }.map {
      LocatedValue(json: $0.value, path: ValuePath.appending(key: key, to: object.path))
    }
  }
}
