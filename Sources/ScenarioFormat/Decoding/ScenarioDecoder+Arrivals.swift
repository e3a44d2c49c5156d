// Open models: iterations begin at planned times, whether or not a reader is free.

extension ScenarioDecoder {
  /// Decodes the executor `constant-arrival-rate`.
  mutating func decodeConstantArrivals(in object: ObjectReader) -> ReaderExecutor? {
    let pool = decodePool(in: object)
    let timeUnit = positiveDuration("timeUnit", in: object, "a rate in no time")
    let rate = count("rate", in: object)
    let duration = positiveDuration("duration", in: object, "no time for any iteration")
    guard let timeUnit, let rate, let duration, let value = object.value("rate") else { return nil }
    let area = UInt128(rate) * UInt128(duration.wholeNanoseconds)
    guard checkArrivals(area, in: timeUnit, at: value), let pool else { return nil }
    return .constantArrivalRate(
      rate: rate,
      timeUnit: timeUnit,
      duration: duration,
      preAllocatedReaders: pool.atStart,
      maxReaders: pool.atMost
    )
  }

  /// Decodes the executor `ramping-arrival-rate`.
  mutating func decodeRampingArrivals(in object: ObjectReader) -> ReaderExecutor? {
    let pool = decodePool(in: object)
    let timeUnit = positiveDuration("timeUnit", in: object, "a rate in no time")
    let startRate = count("startRate", in: object)
    let stages = decodeStages(in: object, as: .rateStage)
    guard let timeUnit, let startRate, let stages, let value = object.value("stages") else { return nil }
    var rate = startRate
    var doubleArea: UInt128 = 0
    for stage in stages {
      doubleArea += UInt128(rate + stage.target) * UInt128(stage.duration.wholeNanoseconds)
      rate = stage.target
    }
    guard checkArrivals(doubleArea / 2, in: timeUnit, at: value), let pool else { return nil }
    return .rampingArrivalRate(
      startRate: startRate,
      timeUnit: timeUnit,
      stages: stages,
      preAllocatedReaders: pool.atStart,
      maxReaders: pool.atMost
    )
  }

  private mutating func decodePool(in object: ObjectReader) -> (atStart: Int, atMost: Int)? {
    let atStart = count("preAllocatedReaders", in: object)
    guard object.has("maxReaders") else { return atStart.map { ($0, $0) } }
    guard let atMost = count("maxReaders", in: object), let atStart, let value = object.value("maxReaders")
    else { return nil }
    guard atMost >= atStart else {
      log.report(
        "\(atMost) readers at most, but \(atStart) from the start",
        at: value,
        suggestion: "write at least \(atStart)"
      )
      return nil
    }
    return (atStart, atMost)
  }

  /// Reports a plan of no iteration, and one of more than can be counted.
  ///
  /// - Parameters:
  ///   - area: The rate summed up over the nanoseconds; with a constant one the first iteration begins at once.
  ///   - timeUnit: What the rate is counted in; more than zero.
  ///   - value: Where the rate is written.
  /// - Returns: Whether the plan can be kept.
  private mutating func checkArrivals(
    _ area: UInt128,
    in timeUnit: Duration,
    at value: LocatedValue
  ) -> Bool {
    let planned = area / UInt128(timeUnit.wholeNanoseconds)
    if case .array = value.json.content, planned == 0 {
      log.report(
        "no whole iteration ever begins",
        at: value,
        suggestion: "write a higher target or a longer stage"
      )
      return false
    }
    guard planned <= UInt128(Bounds.arrivals) else {
      log.report(
        "\(planned) iterations are planned",
        at: value,
        suggestion: "plan at most \(Bounds.arrivals): a lower rate, or a shorter time"
      )
      return false
    }
    return true
  }
}
