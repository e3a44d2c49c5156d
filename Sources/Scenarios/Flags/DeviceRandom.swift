import ClientCore
import Synchronization

/// The random numbers of one process of the app: identifiers, secrets and jitter.
///
/// SplitMix64, seeded by the scenario's seed, the device and the process. They are no choices of the run: a shrinker that
/// made them zero would give all devices one identity.
final class DeviceRandom: RandomSource {
  private let counter: Atomic<UInt64>

  init(seed: UInt64, instance: Int32, process: Int) {
    let place = UInt64(UInt32(bitPattern: instance)) << 20 ^ UInt64(process)
    counter = Atomic(Self.mixed(seed ^ Self.mixed(place &+ 0x9E37_79B9_7F4A_7C15)))
  }

  func next() -> UInt64 {
    Self.mixed(counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
