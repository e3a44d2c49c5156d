import Events
import Testing

@Suite struct DigestTests {
  private func digest(of numbers: [UInt64]) -> Digest {
    var digest = Digest()
    for number in numbers { digest.mix(number) }
    return digest
  }

  @Test func `equal sequences have equal digests`() {
    #expect(digest(of: [1, 2, 3]) == digest(of: [1, 2, 3]))
    #expect(digest(of: []) == Digest())
  }

  @Test func `order, length and every number matter`() {
    let sequences: [[UInt64]] = [
      [], [0], [0, 0], [1], [0, 1], [1, 0], [1, 2, 3], [3, 2, 1], [1, 2], [2, 1], [.max], [.max, .max],
    ]
    #expect(Set(sequences.map(digest(of:))).count == sequences.count)
  }

  @Test func `one changed bit anywhere moves about half of the bits`() {
    let numbers: [UInt64] = [7, 0, .max, 1_234_567]
    let original = digest(of: numbers).rawValue
    for place in numbers.indices {
      var moved = 0
      for bit in 0..<UInt64(64) {
        var changed = numbers
        changed[place] ^= 1 << bit
        let distance = (digest(of: changed).rawValue ^ original).nonzeroBitCount
        #expect(distance > 0, "number \(place), bit \(bit)")
        moved += distance
      }
      #expect((28 * 64...36 * 64).contains(moved), "number \(place): \(moved) of \(64 * 64) bits moved")
    }
  }

  @Test func `a million different sequences have different digests`() {
    var digests: Set<UInt64> = []
    for first in UInt64(0)..<1000 {
      var prefix = Digest()
      prefix.mix(first)
      for second in UInt64(0)..<1000 {
        var whole = prefix
        whole.mix(second)
        digests.insert(whole.rawValue)
      }
    }
    #expect(digests.count == 1_000_000)
  }

  @Test func `where one text ends and the next begins matters`() {
    func digest(_ texts: String...) -> Digest {
      var digest = Digest()
      for text in texts { digest.mix(text) }
      return digest
    }
    let digests = [digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", ""), digest("", "abc")]
    #expect(Set(digests).count == digests.count)
    #expect(digest("ü") != digest("u\u{308}"), "the bytes count, not what they look like")
  }

  @Test func `reports print sixteen hexadecimal digits, leading zeros included`() {
    var digest = Digest()
    var hasLeadingZero = false
    for number in UInt64(0)..<500 {
      digest.mix(number)
      let text = digest.hexadecimal
      #expect(text.count == 16)
      #expect(text.allSatisfy { "0123456789abcdef".contains($0) })
      #expect(UInt64(text, radix: 16) == digest.rawValue)
      hasLeadingZero = hasLeadingZero || text.hasPrefix("0")
    }
    #expect(hasLeadingZero)
  }

  @Test func `another process computes the same digest and draws the same choices`() async {
    var digest = Digest()
    digest.mix("a text")
    var source = ChoiceSource(seed: 42)
    for label in ChoiceLabel.allCases { digest.mix(source.choose(upTo: 1_000_000, label: label)) }
    let expected = digest.rawValue
    await #expect(processExitsWith: .success) { [expected = expected as UInt64] in
      var digest = Digest()
      digest.mix("a text")
      var source = ChoiceSource(seed: 42)
      for label in ChoiceLabel.allCases { digest.mix(source.choose(upTo: 1_000_000, label: label)) }
      #expect(digest.rawValue == expected)
    }
  }
}
