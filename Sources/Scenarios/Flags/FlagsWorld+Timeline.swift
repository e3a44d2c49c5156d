import Events
import PalbaseFlags
import ScenarioFormat
import SimulatedService

// What the timeline does to the project and to the whole fleet.

extension FlagsWorld {
  func perform(_ entry: TimelineEntry) async {
    switch entry.action {
    case .publishFlags(let keys): change { $0.publish(keys: keys) }
    case .publish: change { $0.publish(keys: nil) }
    case .deleteFlag(let key): change { $0.delete(key) }
    case .defineFlag(let key): change { $0.define(FlagDefinition(key: key, value: .bool(true))) }
    case .rollBack: change { $0.rollBack() }
    case .giveUser(let key, let user, let value):
      for user in users(user) { change { $0.giveUser(user, key: key, value: AttributeValue(value)) } }
    case .takeUser(let key, let user):
      for user in users(user) { change { $0.takeUser(user, key: key) } }
    case .startExperiment(let key): change { $0.startExperiment(key) }
    case .stopExperiment(let key): change { $0.stopExperiment(key) }
    case .changeAudiences: changeAudiences()
    case .rotateETags: project.withLock { $0.rotateETags() }
    case .clockForward(let by): times.jump(by: by.nanoseconds)
    case .clockBack(let by): times.jump(by: -by.nanoseconds)
    case .close: await closeAndCount()
    case .dropSockets:
      witness.note(.marked(.disconnected))
      for socket in sockets.all { socket.drop() }
    case .signIn, .signOut, .switchUser, .sameUserAgain, .background, .foreground, .relaunch, .consent,
      .refresh, .flush:
      await performOnDevices(entry)
    case .notify, .invalidate: fatalError("\(entry.action.word) is no action on this kind of client")
    }
  }

  /// Every device does it, at once or each at an instant of its own.
  private func performOnDevices(_ entry: TimelineEntry) async {
    if let mark = entry.action.mark { witness.note(.marked(mark)) }
    let devices = devices
    let spread = entry.within?.nanoseconds ?? 0
    await ReaderTree.run(0..<devices.count) { [self] index in
      guard await sleep(within: spread) else { return }
      await perform(entry.action, on: devices[index])
    }
  }

  private func perform(_ action: TimelineAction, on device: Device) async {
    switch action {
    case .signIn: device.signIn()
    case .signOut: device.signOut()
    case .switchUser: device.switchUser()
    case .sameUserAgain: device.sameUserAgain()
    case .background: device.move(toForeground: false)
    case .foreground: device.move(toForeground: true)
    case .relaunch(let spec): await device.relaunch(spec)
    case .consent(let isGiven): device.consent(isGiven)
    case .refresh: await Nobody(device, self).refresh()
    case .flush: await Nobody(device, self).flush()
    default: break
    }
  }

  private func users(_ user: Int?) -> [String] {
    if let user { return [UserName(user).id] }
    return (0..<max(2, userCount)).map { UserName($0).id }
  }

  /// Every second reader comes into an audience or leaves it, half of them without being told.
  private func changeAudiences() {
    for (index, device) in devices.enumerated() {
      guard let reader = reader(device.subject) else { continue }
      let isMember = project.withLock { $0.version } % 2 == 0
      change { $0.changeAudience("early", of: reader, isMember: isMember, isAnnounced: index % 2 == 0) }
    }
  }

  private func closeAndCount() async {
    let instances = openInstances
    await closeClients()
    await stage.settle(instances.map(\.probe))
    Act.countLeftovers(instances, witness, [.task, .timer, .request])
  }
}

extension TimelineAction {
  /// After what a herd may form.
  fileprivate var mark: Mark? {
    switch self {
    case .signIn, .signOut, .switchUser, .sameUserAgain: .switched
    case .foreground, .relaunch: .launched
    case .flush: .flushed
    case .refresh: .invalidated
    default: nil
    }
  }
}

extension AttributeValue {
  /// The value that a scenario gives a user.
  fileprivate init(_ value: GivenValue) {
    switch value {
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .number(Double(number))
    case .number(let number): self = .number(number)
    case .text(let text): self = .string(text)
    }
  }
}
