// Mistakes inside the readers.

extension BadInput {
  /// Groups and their executors.
  static let readers: [BadInput] = [
    .change(
      "no group",
      "\"launch\": {",
      "\"launch\": 1, \"rest\": {",
      "readers.launch: a group of readers is an object, not a number"
    ),
    .change(
      "a group's name",
      "\"launch\"",
      "\"cold launch\"",
      """
      readers["cold launch"]: a group's name has letters, digits, "_" and "-" only, at most 128; it \
      becomes the value of the tag "group"
      """
    ),
    .group(
      "\"readers\": 10, \"do\": [\"evaluate\"]",
      """
      readers.launch.executor: required, but missing; write "executor": "per-reader-iterations" or \
      "executor": "constant-readers" or "executor": "ramping-readers" or "executor": \
      "constant-arrival-rate" or "executor": "ramping-arrival-rate"
      """
    ),
    .group(
      "\"executor\": \"constant-reader\", \"readers\": 10, \"do\": [\"evaluat\"]",
      "readers.launch.executor: there is no \"constant-reader\"; did you mean \"constant-readers\"?",
      "readers.launch.do[0]: there is no \"evaluat\"; did you mean \"evaluate\"?"
    ),
    .group(
      """
      "executor": "constant-readers", "readers": 10, "duration": "1m", "think": "1s", "iterations": 5, \
      "do": ["evaluate"]
      """,
      """
      readers.launch.iterations: unknown key for a group with the executor "constant-readers"; it belongs \
      to the executor "per-reader-iterations"
      """
    ),
    .group(
      "\"executor\": \"constant-readers\", \"readers\": 0, \"duration\": \"0s\", \"do\": [\"evaluate\"]",
      "readers.launch.readers: 0 is out of range; write a whole number from 1 to 10000000",
      "readers.launch.duration: no time for any iteration; write more than zero"
    ),
    .group(
      """
      "executor": "per-reader-iterations", "readers": 1.5, "iterations": -1, "maxDuration": 5, "do": []
      """,
      "readers.launch.readers: 1.5 is not a whole number; write one from 1 to 10000000",
      "readers.launch.iterations: -1 is out of range; write a whole number from 1 to 1000000000",
      "readers.launch.maxDuration: the duration 5 has no unit; write \"5ms\"",
      "readers.launch.do: an empty list; write at least one element"
    ),
    .group(
      "\"executor\": \"ramping-readers\", \"think\": \"1s\", \"stages\": [], \"do\": [\"evaluate\"]",
      "readers.launch.stages: an empty list; write at least one element"
    ),
    .group(
      """
      "executor": "ramping-readers", "think": "1s", "stages": [{ "duration": "1s", "target": 0 }], "do": \
      ["evaluate"]
      """,
      "readers.launch.stages: there is never a reader; write a target of at least 1"
    ),
    .group(
      """
      "executor": "ramping-readers", "think": "1s", "stages": [{ "duration": "0s", "target": 5 }], "do": \
      ["evaluate"]
      """,
      "readers.launch.stages: the stages together take no time; write more than zero and at most 3650d"
    ),
    .group(
      """
      "executor": "ramping-readers", "think": "1s", "stages": [{ "duration": "3650d", "target": 5 }, { \
      "duration": "1ns", "target": 5 }], "do": ["evaluate"]
      """,
      "readers.launch.stages: the stages together are too long; write more than zero and at most 3650d"
    ),
    .group(
      """
      "executor": "ramping-readers", "think": "1s", "stages": [{ "target": -1 }, 5], "do": ["evaluate"]
      """,
      "readers.launch.stages[0].duration: required, but missing; write \"duration\": \"10s\"",
      "readers.launch.stages[0].target: -1 is out of range; write a whole number from 0 to 10000000",
      "readers.launch.stages[1]: a stage is an object, not a number"
    ),
    .group(
      """
      "executor": "constant-readers", "readers": 10, "duration": "1m", "do": ["evaluate", { "step": \
      "sleep", "duration": "0s" }]
      """,
      """
      readers.launch: "constant-readers" on the virtual clock needs a pause, or one instant repeats for \
      ever; add "think": "1s" or a step "sleep"
      """
    ),
    .group(
      """
      "executor": "constant-readers", "readers": 10, "duration": "1m", "do": [{ "step": "evaluate", \
      "weight": 1 }, { "step": "sleep", "duration": "1s", "weight": 0 }]
      """,
      """
      readers.launch: "constant-readers" on the virtual clock needs a pause, or one instant repeats for \
      ever; add "think": "1s" or a step "sleep"
      """
    ),
  ]
}

extension BadInput {
  /// Steps.
  static let steps: [BadInput] = [
    .steps("\"evaluate\"", "readers.launch.do: expected an array, found a string; put it in [ ]"),
    .steps(
      "[5]",
      """
      readers.launch.do[0]: expected a string, found a number; steps: evaluate, evaluate-or-throw, \
      invalidate, cancel, sleep, record-exposure, flush, list-notifications, mark-read, mark-all-read, \
      switch-user
      """
    ),
    .steps(
      "[\"refresh\"]",
      """
      readers.launch.do[0]: "refresh" belongs to the client "flags"; steps: evaluate, evaluate-or-throw, invalidate, cancel, sleep, record-exposure, flush, list-notifications, mark-read, \
      mark-all-read, switch-user
      """
    ),
    .steps(
      "[{ \"step\": \"record-exposure\", \"count\": 0 }, { \"step\": \"flush\", \"count\": 2 }]",
      "readers.launch.do[0].count: 0 is out of range; write a whole number from 1 to 10000",
      """
      readers.launch.do[1].count: unknown key for the step "flush"; it belongs to the step "record-exposure"
      """
    ),
    .steps(
      "[\"sleep\"]",
      """
      readers.launch.do[0]: the step "sleep" needs a duration; write {"step": "sleep", "duration": "1s"}
      """
    ),
    .steps(
      "[{ \"think\": \"1s\" }]",
      """
      readers.launch.do[0]: a step without the key "step"; steps: evaluate, evaluate-or-throw, invalidate, \
      cancel, sleep, record-exposure, flush, list-notifications, mark-read, mark-all-read, switch-user
      """
    ),
    .steps(
      "[{ \"step\": \"evalute\" }]",
      "readers.launch.do[0].step: there is no \"evalute\"; did you mean \"evaluate\"?"
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"after\": \"1s\" }]",
      "readers.launch.do[0].after: unknown key for the step \"evaluate\"; it belongs to the step \"cancel\""
    ),
    .steps(
      "[{ \"step\": \"sleep\", \"duration\": \"1s\", \"tink\": \"1s\" }]",
      "readers.launch.do[0].tink: unknown key; did you mean \"think\"?"
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"keys\": [\"fc.checkout_v3\"] }]",
      """
      readers.launch.do[0].keys[0]: "fc.checkout_v3" is not one of the client's keys; did you mean \
      "fc.checkout_v2"?
      """
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"weight\": 1 }, \"invalidate\"]",
      """
      readers.launch.do[1]: this step has no weight, but others of the group have one; give every step a \
      weight, or none
      """
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"weight\": 0 }]",
      "readers.launch.do: all weights are zero; give one step a weight of at least 1"
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"weight\": -1 }]",
      "readers.launch.do[0].weight: -1 is out of range; write a whole number from 0 to 1000000"
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"switchStore\": true }]",
      """
      readers.launch.do[0].switchStore: there is only one store to switch to; set client.stores to \
      "per-reader" or to a number from 2
      """
    ),
    .steps(
      "[{ \"step\": \"evaluate\", \"switchStore\": 1 }]",
      "readers.launch.do[0].switchStore: expected true or false, found a number"
    ),
  ]
}
