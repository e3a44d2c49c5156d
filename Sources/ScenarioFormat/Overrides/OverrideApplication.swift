// Overrides change the parsed file before it is decoded, in the order of the command line: whatever they say
// is then validated with everything else, and what is reported points at the option that said it.

/// Applies overrides to the tree of a scenario.
struct OverrideApplication {
  var root: JSONValue
  var log: ProblemLog
  /// The overrides of `--readers` that found a group which cannot be scaled.
  private(set) var unscaled: [Int] = []

  /// Creates an application to a tree, adding to the problems found so far.
  init(to root: JSONValue, log: ProblemLog) {
    self.root = root
    self.log = log
  }

  /// Applies one override.
  mutating func apply(_ override: Override, index: Int) {
    let origin = JSONOrigin.option(index: index)
    switch override {
    case .seed(let text):
      // What is no JSON number is left for the decoder to refuse, as a string.
      let number = JSONParser.parse(Array(text.utf8), option: index).result
      walk([.key("seed")], to: (try? number.get()) ?? JSONValue(.string(text), origin: origin))
    case .clock(let text): walk([.key("clock")], to: JSONValue(.string(text), origin: origin))
    case .readers(let text): scale(to: text, origin: origin)
    case .set(let assignment): set(assignment, index: index)
    }
  }

  private mutating func set(_ assignment: String, index: Int) {
    let origin = JSONOrigin.option(index: index)
    guard let (pathText, valueText) = SettingPath.split(assignment), let path = SettingPath(pathText) else {
      log.report(
        "not PATH=VALUE",
        at: origin,
        suggestion: "write for example --set readers.launch.iterations=5"
      )
      return
    }
    let outcome = JSONParser.parse(Array(valueText.utf8), option: index)
    switch outcome.result {
    case .success(let value):
      for duplicate in outcome.duplicates {
        log.report(
          "the key \(Shown.text(duplicate.key)) stands in the value twice",
          at: origin,
          path: pathText
        )
      }
      walk(path.components, to: value)
    case .failure(let error):
      // A word such as 80ms needs no quotes; what begins like JSON was meant to be JSON.
      guard let first = valueText.first(where: { !$0.isWhitespace }), "{[\"".contains(first) else {
        walk(path.components, to: JSONValue(.string(valueText), origin: origin))
        return
      }
      log.report("the value is not JSON: \(error.message)", at: origin, suggestion: error.suggestion)
    }
  }

  private mutating func walk(_ components: [SettingPath.Component], to value: JSONValue) {
    do throws(SettingWalk.Miss) {
      let kind = ClientSpec.Kind.allCases.first { kind in
        root.member("client")?.says(kind.rawValue, under: "kind") ?? false
      }
      try SettingWalk(components: components, newValue: value, kind: kind).apply(to: &root)
    } catch {
      log.report(error.message, at: value.origin, suggestion: error.suggestion)
    }
  }

  private mutating func scale(to text: String, origin: JSONOrigin) {
    guard let total = Int64(text), (1...Bounds.readers).contains(total) else {
      log.report(
        "\(Shown.text(text)) is not a number of readers",
        at: origin,
        suggestion: "write a whole number from 1 to \(Bounds.readers)"
      )
      return
    }
    let groups = ReaderScaling.groupCount(in: root)
    guard total >= groups else {
      log.report(
        "fewer readers than the \(groups) groups",
        at: origin,
        suggestion: "write at least \(groups)"
      )
      return
    }
    if !ReaderScaling.scale(to: total, in: &root, origin: origin), case .option(let index) = origin {
      unscaled.append(index)
    }
  }
}
