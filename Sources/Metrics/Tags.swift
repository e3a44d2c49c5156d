/// What tells the samples of one metric apart: names with values, sorted by name.
public struct Tags: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// One name with its value.
  public struct Pair: Hashable, Sendable {
    /// The name, as `endpoint`.
    public let name: String
    /// The value, as `evaluate`.
    public let value: String

    /// Creates a pair.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The pairs, sorted by name, each name once.
  public let pairs: [Pair]

  /// No tags at all.
  public static let none = Tags([])

  /// Creates tags from pairs in any order.
  ///
  /// - Complexity: O(n log n) in the number of pairs.
  /// - Parameter pairs: Names with values; of pairs with equal names the last one counts.
  public init(_ pairs: [(name: String, value: String)]) {
    // Not a stable sort: the position decides between equal names.
    let sorted = pairs.enumerated().sorted {
      $0.element.name != $1.element.name ? $0.element.name < $1.element.name : $0.offset < $1.offset
    }
    var kept: [Pair] = []
    for (_, pair) in sorted {
      if kept.last?.name == pair.name { kept.removeLast() }
      kept.append(Pair(name: pair.name, value: pair.value))
    }
    self.pairs = kept
  }

  /// Creates tags from a literal such as `["endpoint": "evaluate"]`.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }

  /// Whether there are no tags.
  public var isEmpty: Bool { pairs.isEmpty }

  /// The value of a name, or nil if there is none.
  ///
  /// - Complexity: O(n) in the number of tags.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns whether every given tag is among these.
  ///
  /// - Complexity: O(n·m) in the numbers of tags.
  /// - Parameter other: The tags to look for.
  /// - Returns: Whether all of them are here with the same values; true for no tags.
  public func contains(_ other: Tags) -> Bool { other.pairs.allSatisfy { self[$0.name] == $0.value } }

  /// The tags in the form of a threshold, as `endpoint:evaluate,group:launch`; empty for no tags.
  ///
  /// - Complexity: O(n) in the number of tags.
  public var description: String { pairs.map { "\($0.name):\($0.value)" }.joined(separator: ",") }
}

extension Tags: Comparable {
  /// Returns whether the left tags come first in a report: pair by pair, then the shorter list.
  public static func < (left: Tags, right: Tags) -> Bool {
    left.pairs.lexicographicallyPrecedes(right.pairs) {
      $0.name != $1.name ? $0.name < $1.name : $0.value < $1.value
    }
  }
}
