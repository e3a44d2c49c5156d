import Foundation
import Invariants
import Metrics
import ScenarioFormat
import Scenarios
import Testing

/// Runs a scenario of the flags client; a client and a service are filled in, as for `run`.
func runFlags(
  _ parts: String, client: String = "", service: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> RunReport {
  try run(
    """
    "client": { "kind": "flags", "keys": ["new_checkout", "banner_text"]\(client.isEmpty ? "" : ", " + client) },
    "service": { "flags": 5, "latency": "10ms"\(service.isEmpty ? "" : ", " + service) },
    "network": { "latency": "5ms" },
    \(parts)
    """, sourceLocation: sourceLocation)
}

/// A group of readers, one for each device, that go through the steps so often.
func people(_ count: Int = 1, iterations: Int = 1, _ steps: String) -> String {
  """
  "readers": { "people": { "executor": "per-reader-iterations", "readers": \(count), "iterations": \(iterations),
    "do": [\(steps)] } }
  """
}
