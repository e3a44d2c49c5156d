import Scenarios
import Testing

/// Runs one reader that asks every second, from 0 s on, ten times unless told otherwise, and each time needs a request.
///
/// The network and the service take no time, so whatever takes time is a fault's doing.
/// - Parameters:
///   - faults: The faults, without the brackets.
///   - client: More members of the client, each beginning with a comma.
///   - steps: The steps, without the brackets.
///   - iterations: How often.
///   - more: More members of the scenario, each ending in a comma.
///   - sourceLocation: The test's line.
/// - Returns: The report, in which no invariant was violated.
/// - Throws: If the scenario is not valid.
func everySecond(
  _ faults: String, client: String = "", steps: String = "\"evaluate\"", iterations: Int = 10,
  more: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> RunReport {
  try run(
    everySecondText(faults, client: client, steps: steps, iterations: iterations, more: more),
    sourceLocation: sourceLocation)
}

/// The scenario of `everySecond`.
func everySecondText(
  _ faults: String, client: String = "", steps: String = "\"evaluate\"", iterations: Int = 10,
  more: String = ""
) -> String {
  """
  \(more) "client": { "kind": "feature-control", "cacheTTL": "1ms"\(client) },
  "service": { "latency": "0ms", "inbox": { "items": 5 } }, "faults": [\(faults)],
  "readers": { "a": { "executor": "per-reader-iterations", "readers": 1, "iterations": \(iterations),
    "think": "1s", "do": [\(steps)] } }
  """
}
