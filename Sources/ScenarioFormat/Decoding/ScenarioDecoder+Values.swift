// The values that several parts of a scenario are made of.

extension ScenarioDecoder {
  /// Returns a string that is not empty.
  mutating func text(_ key: String, in object: ObjectReader) -> String? {
    object.value(key).flatMap { text($0, called: "a string") }
  }

  /// Returns a string that is not empty.
  mutating func text(_ value: LocatedValue, called noun: String) -> String? {
    guard case .string(let text) = value.json.content else {
      log.report("expected \(noun), found \(value.json.kindName)", at: value)
      return nil
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      log.report("an empty string", at: value, suggestion: "write \(noun) that says something")
      return nil
    }
    return text
  }

  /// Returns a boolean.
  mutating func boolean(_ key: String, in object: ObjectReader) -> Bool? {
    guard let value = object.value(key) else { return nil }
    guard case .bool(let flag) = value.json.content else {
      log.report("expected true or false, found \(value.json.kindName)", at: value)
      return nil
    }
    return flag
  }

  /// Returns a whole number within the bounds of its field.
  mutating func count(_ key: String, in object: ObjectReader) -> Int? {
    guard case .count(let bounds) = object.field(key).shape else { fatalError("\"\(key)\" is no count") }
    return object.value(key).flatMap { count($0, within: bounds) }
  }

  /// Returns a whole number within bounds.
  mutating func count(_ value: LocatedValue, within bounds: ClosedRange<Int64>) -> Int? {
    guard case .number(let number) = value.json.content else {
      log.report("expected a whole number, found \(value.json.kindName)", at: value)
      return nil
    }
    let range = "from \(bounds.lowerBound) to \(bounds.upperBound)"
    switch WholeNumber.parse(number) {
    case .failure(.fraction):
      log.report("\(Shown.bare(number)) is not a whole number", at: value, suggestion: "write one \(range)")
      return nil
    case .failure(.tooLarge):
      log.report(
        "\(Shown.bare(number)) is out of range",
        at: value,
        suggestion: "write a whole number \(range)"
      )
      return nil
    case .success(let count):
      guard bounds.contains(count) else {
        log.report("\(count) is out of range", at: value, suggestion: "write a whole number \(range)")
        return nil
      }
      return Int(count)
    }
  }

  /// Returns a ratio in units of its last decimal: 0.25 with six decimals is 250,000.
  mutating func ratio(_ key: String, in object: ObjectReader) -> Int? {
    guard case .ratio(let decimals, let limit, let isPositive) = object.field(key).shape else {
      fatalError("\"\(key)\" is no ratio")
    }
    guard let value = object.value(key) else { return nil }
    guard case .number(let number) = value.json.content else {
      log.report("expected a number, found \(value.json.kindName)", at: value)
      return nil
    }
    let range = isPositive ? "more than 0, at most \(limit)" : "from 0 to \(limit)"
    let remedy = "write a number \(range), with at most \(decimals) decimals"
    switch DecimalText.parse(number, decimals: decimals) {
    case .failure(.tooFine):
      log.report("\(Shown.bare(number)) is too fine", at: value, suggestion: remedy)
    case .failure(.outOfRange):
      log.report("\(Shown.bare(number)) is out of range", at: value, suggestion: remedy)
    case .success(let units):
      if units <= limit * DecimalText.scale(decimals), units > 0 || !isPositive { return Int(units) }
      log.report("\(Shown.bare(number)) is out of range", at: value, suggestion: remedy)
    }
    return nil
  }

  /// Returns a duration.
  mutating func duration(_ key: String, in object: ObjectReader) -> Duration? {
    object.value(key).flatMap { duration($0) }
  }

  /// Returns a duration.
  mutating func duration(_ value: LocatedValue) -> Duration? {
    switch value.json.content {
    case .string(let text):
      switch DurationText.parse(text) {
      case .success(let duration): return duration
      case .failure(let failure):
        log.report(failure.message, at: value, suggestion: failure.suggestion)
      }
    case .number(let number) where number.hasPrefix("-"):
      log.report(
        "the duration \(Shown.bare(number)) is negative and has no unit",
        at: value,
        suggestion: "write zero or more with a unit, such as \"250ms\""
      )
    case .number(let number):
      let example = number.utf8.count <= 20 && !number.contains { $0 == "e" || $0 == "E" } ? number : "250"
      log.report(
        "the duration \(Shown.bare(number)) has no unit",
        at: value,
        suggestion: "write \"\(example)ms\""
      )
    case .null, .bool, .array, .object:
      log.report(
        "expected a duration, found \(value.json.kindName)",
        at: value,
        suggestion: "write a string such as \"250ms\""
      )
    }
    return nil
  }

  /// Returns a duration of more than zero.
  mutating func positiveDuration(_ key: String, in object: ObjectReader, _ message: String) -> Duration? {
    guard let duration = duration(key, in: object), let value = object.value(key) else { return nil }
    guard duration > .zero else {
      log.report(message, at: value, suggestion: "write more than zero")
      return nil
    }
    return duration
  }

  /// Returns the case whose raw value a word is.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String,
    in object: ObjectReader,
    as type: Word.Type
  ) -> Word? {
    guard let value = object.value(key) else { return nil }
    return word(value, among: Word.allCases.map(\.rawValue), called: "known").flatMap(Word.init)
  }

  /// Returns a word that is among those that exist.
  ///
  /// - Parameters:
  ///   - value: What should be a word.
  ///   - words: The words that exist here.
  ///   - foreign: Words that exist elsewhere, each with whom it belongs to.
  ///   - noun: What the words are called, in the plural.
  /// - Returns: The word, or nil.
  mutating func word(
    _ value: LocatedValue,
    among words: [String],
    foreign: [KeyOwner] = [],
    called noun: String
  ) -> String? {
    guard case .string(let word) = value.json.content else {
      log.report(
        "expected a string, found \(value.json.kindName)",
        at: value,
        suggestion: "\(noun): \(words.joined(separator: ", "))"
      )
      return nil
    }
    if words.contains(word) { return word }
    if let owner = foreign.first(where: { $0.key == word })?.owner {
      log.report(
        "\"\(word)\" belongs to \(owner)",
        at: value,
        suggestion: "\(noun): \(words.joined(separator: ", "))"
      )
    } else {
      log.report(
        "there is no \(Shown.text(word))",
        at: value,
        suggestion: Suggestion.nearest(to: word, among: words, called: noun)
      )
    }
    return nil
  }

  /// Returns the elements of a list.
  mutating func list(_ key: String, in object: ObjectReader) -> [LocatedValue]? {
    guard let value = object.value(key) else { return nil }
    guard case .array(let elements) = value.json.content else {
      log.report("expected an array, found \(value.json.kindName)", at: value, suggestion: "put it in [ ]")
      return nil
    }
    guard elements.count <= Bounds.elements else {
      log.report("\(elements.count) elements", at: value, suggestion: "write at most \(Bounds.elements)")
      return nil
    }
    if case .list(_, let least, _) = object.field(key).shape, elements.count < least {
      log.report("an empty list", at: value, suggestion: "write at least one element")
      return nil
    }
    return elements.enumerated().map { value.element($0.element, at: $0.offset) }
  }

  /// Returns the members of an object with free keys.
  ///
  /// - Parameters:
  ///   - key: The key of the object.
  ///   - object: The object that it stands in.
  ///   - what: What it is, in words for a message.
  /// - Returns: The members with the paths of their values, or nil if it is no object, or too large.
  mutating func entries(
    _ key: String,
    in object: ObjectReader,
    being what: String
  ) -> [(member: JSONMember, path: String)]? {
    guard let value = object.value(key) else { return nil }
    guard case .object(let members) = value.json.content else {
      log.report("\"\(key)\" is \(what), not \(value.json.kindName)", at: value)
      return nil
    }
    guard members.count <= Bounds.elements else {
      log.report("\(members.count) keys", at: value, suggestion: "write at most \(Bounds.elements)")
      return nil
    }
    return members.map { ($0, ValuePath.appending(key: $0.key, to: value.path)) }
  }

  /// Returns the elements of a list of flag keys that are some of the client's, as far as those are known.
  mutating func clientKeys(_ key: String, in object: ObjectReader) -> [String]? {
    guard let keys = keys(key, in: object) else { return nil }
    var areKnown = true
    for key in keys {
      guard let clientKeys, !clientKeys.contains(key.text) else { continue }
      areKnown = false
      log.report(
        "\(Shown.text(key.text)) is not one of the client's keys",
        at: key.value,
        suggestion: Suggestion.nearest(to: key.text, among: clientKeys, called: "keys")
      )
    }
    return areKnown ? keys.map(\.text) : nil
  }

  /// Returns the elements of a list of flag keys: strings, each once.
  mutating func keys(_ key: String, in object: ObjectReader) -> [LocatedText]? {
    guard let elements = list(key, in: object) else { return nil }
    var seen: Set<String> = []
    var keys: [LocatedText] = []
    for element in elements {
      guard let text = text(element, called: "a flag key") else { continue }
      guard seen.insert(text).inserted else {
        log.report("the key \(Shown.text(text)) stands here twice", at: element, suggestion: "leave it out")
        continue
      }
      keys.append(LocatedText(text: text, value: element))
    }
    return keys.count == elements.count ? keys : nil
  }
}

/// A string with the value that it was read from.
struct LocatedText {
  var text: String
  var value: LocatedValue
}
