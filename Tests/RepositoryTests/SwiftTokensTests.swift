import Testing

@Suite struct SwiftTokensTests {
  private func words(_ source: String) -> [String] { SwiftTokens.of(source).map(\.text) }

  @Test func `words and signs are tokens`() {
    #expect(words("let x1 = a.b(c)") == ["let", "x1", "=", "a", ".", "b", "(", "c", ")"])
  }

  @Test func `comments are no code`() {
    #expect(words("a // b\nc /* d /* e */ f */ g /// h") == ["a", "c", "g"])
  }

  @Test(arguments: [
    #"a "b" c"#, #"a "b \" d" c"#, ##"a #"b " d"# c"##, "a \"\"\"\nb \" d\n\"\"\" c", ##"a #"\(b)"# c"##,
  ])
  func `the text of strings is no code`(source: String) {
    #expect(words(source) == ["a", "c"])
  }

  @Test(arguments: [#"a "x \(b(c)) y" d"#, ##"a #"x \#(b(c)) y"# d"##, #"a "x \(b("y", c)) z" d"#])
  func `an interpolation is code`(source: String) {
    #expect(words(source).filter { $0.first?.isLetter == true } == ["a", "b", "c", "d"])
  }

  @Test func `a row of tokens is found on its line whatever the spacing`() {
    let tokens = SwiftTokens.of("let a = 1\nTask  {\n}\nTask\n{ }\nSpawnedTask { }\nTask.sleep()")
    #expect(tokens.lines(of: "Task {") == [2, 4])
    #expect(tokens.lines(of: "Task.sleep") == [7])
  }
}
