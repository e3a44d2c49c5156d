import ClientCore
import Events
import Palbase
import PalbaseFlags
import ScenarioFormat
import SimulatedService

// Reads of every kind, and what they gave.
//
// A read that gives a truth value is made twice, once with either default: what is the same both times is a value, what
// is not is the default. The defaults of other types are values that no flag of the run has.

extension FlagsCaller {
  /// Goes through the flags of a step and reads each.
  func read(_ step: ReadStep) {
    guard let process = device.process, process.gate.isAlive else { return }
    for _ in 0..<step.count {
      world.ledger.read(step.how, plan.number, at: world.stage.now)
      if step.how == .all {
        tell(.all, nil, .all(FlagContent.of(process.client.flags.all, world.vocabulary)), isOnState: false)
        continue
      }
      for key in step.keys { read(key, step.how, process) }
    }
  }

  private func read(_ key: String, _ how: ReadHow, _ process: AppProcess) {
    let flags = process.client.flags
    switch how {
    case .value:
      tell(.value, key, flags.value(key).map { .value(ValueDigest.of($0)) } ?? .absent, isOnState: false)
    case .source:
      tell(.source, key, ReadResult(source: flags.source(key)), isOnState: false)
    case .typed:
      let method = method(for: key)
      tell(method, key, Self.result(of: method, key, flags), isOnState: false)
    case .state:
      let method = method(for: key)
      let result = process.mainActor.run { Self.result(of: method, key, flags.state) }
      tell(method, key, result, isOnState: true)
    case .all: break
    }
  }

  /// The read of a flag's type, or now and then another one.
  private func method(for key: String) -> ReadMethod {
    let value = world.project.withLock { $0.definition(of: key)?.value }
    // 0, the simplest choice, is the right type.
    let draw = world.stage.draw(upTo: 16, .workload)
    let methods: [ReadMethod] = [.bool, .string, .number, .int, .decode]
    if draw > 10 { return methods[Int(draw) - 11] }
    switch value {
    case .bool?, nil: return .bool
    case .string?: return .string
    case .number(let number)?: return Int(exactly: number) == nil ? .number : .int
    case .null?, .array?, .object?: return .decode
    }
  }

  private static let noText = "\u{0}no flag says this"
  private static let noNumber = -987_654_321.5
  private static let noInt = -987_654_321

  private static func result(of method: ReadMethod, _ key: String, _ flags: FlagsClient) -> ReadResult {
    switch method {
    case .bool:
      return bool(flags.bool(key, default: false), flags.bool(key, default: true))
    case .string: return string(flags.string(key, default: noText))
    case .number: return number(flags.number(key, default: noNumber))
    case .int: return int(flags.int(key, default: noInt))
    default: return composite(flags.decode(key, as: AnyJSON.self))
    }
  }

  @MainActor
  private static func result(of method: ReadMethod, _ key: String, _ state: FlagsState) -> ReadResult {
    switch method {
    case .bool:
      return bool(state.bool(key, default: false), state.bool(key, default: true))
    case .string: return string(state.string(key, default: noText))
    case .number: return number(state.number(key, default: noNumber))
    case .int: return int(state.int(key, default: noInt))
    default: return composite(state.decode(key, as: AnyJSON.self))
    }
  }

  private static func bool(_ first: Bool, _ second: Bool) -> ReadResult {
    first == second ? .value(ValueDigest.of(first)) : .absent
  }

  private static func string(_ text: String) -> ReadResult {
    text == noText ? .absent : .value(ValueDigest.of(text))
  }

  private static func number(_ number: Double) -> ReadResult {
    number == noNumber ? .absent : .value(ValueDigest.of(number))
  }

  private static func int(_ number: Int) -> ReadResult {
    number == noInt ? .absent : .value(ValueDigest.of(Double(number)))
  }

  private static func composite(_ value: AnyJSON?) -> ReadResult {
    value.map { .value(ValueDigest.of($0.value)) } ?? .absent
  }

  private func tell(_ method: ReadMethod, _ key: String?, _ result: ReadResult, isOnState: Bool) {
    world.witness.note(
      .device(
        .read(
          FlagRead(
            instance: device.id, reader: id, method: method, isOnState: isOnState,
            flag: key.map(world.vocabulary.flag) ?? -1, result: result))))
  }
}

/// Any value, as an app decodes one whose shape it does not know.
private struct AnyJSON: Decodable {
  let value: ClientValue

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      var members: [String: ClientValue] = [:]
      for name in object.allKeys {
        members[name.stringValue] = try object.decode(AnyJSON.self, forKey: name).value
      }
      value = .object(members)
    } else if var array = try? decoder.unkeyedContainer() {
      var elements: [ClientValue] = []
      while !array.isAtEnd { elements.append(try array.decode(AnyJSON.self).value) }
      value = .array(elements)
    } else {
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .null
      } else if let flag = try? single.decode(Bool.self) {
        value = .bool(flag)
      } else if let number = try? single.decode(Double.self) {
        value = .number(number)
      } else {
        value = .string(try single.decode(String.self))
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension ReadResult {
  fileprivate init(source: PalbaseFlags.FlagSource?) {
    switch source?.name {
    case "user"?: self = .source(.user)
    case "experiment"?: self = .source(.experiment)
    case "condition"?: self = .source(.condition)
    case "default"?: self = .source(.default)
    default: self = .absent
    }
  }
}
