import Testing

@testable import Command

@Suite struct `Arguments` {
  @Test(arguments: [["--seed", "7", "a.json"], ["--seed=7", "a.json"], ["a.json", "--seed", "7"]])
  func `a value stands behind its option or behind an equals sign`(_ arguments: [String]) throws {
    let parsed = try ArgumentParser.parse(arguments)
    #expect(parsed.problems.isEmpty)
    #expect(parsed.values(of: .seed) == ["7"])
    #expect(parsed.operands == ["a.json"])
    #expect(parsed.command.word == .run)
    #expect(!parsed.isNamed)
  }

  @Test func `a value keeps the equals signs in it`() throws {
    let parsed = try ArgumentParser.parse(["run", "--set", "client.keys=[\"a=b\"]", "--set=x=y", "f"])
    #expect(parsed.values(of: .set) == ["client.keys=[\"a=b\"]", "x=y"])
    #expect(parsed.isNamed)
  }

  @Test func `after two dashes everything is a file`() throws {
    let parsed = try ArgumentParser.parse(["run", "--quiet", "--", "--seed", "-x"])
    #expect(parsed.operands == ["--seed", "-x"])
    #expect(parsed.options.map(\.option.name) == ["quiet"])
  }

  @Test(arguments: [
    (["--see", "3", "f"], "unknown option --see; did you mean --seed?"),
    (["--keepgoing", "f"], "unknown option --keepgoing; did you mean --keep-going?"),
    (["--no-colour", "f"], "unknown option --no-colour; did you mean --no-color?"),
    (["--zzzzzzz", "f"], "unknown option --zzzzzzz; see simulate run --help"),
    (["-h"], "unknown option -h; did you mean --help?"),
    (["-7"], "unknown option -7; options have long names only, see --help"),
    (["--seed"], "--seed needs a value; write --seed N"),
    (["--seed=", "f"], "--seed needs a value; write --seed N"),
    (["--seed", "--quiet", "f"], "--seed needs a value; write --seed N"),
    (["--quiet=yes", "f"], "--quiet takes no value; write --quiet alone"),
    (["--seed", "1", "--seed", "2", "f"], "--seed is given twice; keep one"),
    (["--target", "http://x", "f"], "--target is not available in this version"),
    (["--shard=1/2", "f"], "--shard is not available in this version"),
    (["--baseline", "b", "f"], "--baseline is not available in this version"),
    (["list", "--seed", "1"], "--seed is an option of run, not of list"),
    (["--\u{1B}[31m", "f"], "unknown option --\\u{1B}[31m; see simulate run --help"),
  ])
  func `each mistake is told with its remedy`(_ arguments: [String], _ message: String) throws {
    #expect(try ArgumentParser.parse(arguments).problems.map(\.message) == [message])
  }

  @Test func `no abbreviation is taken`() throws {
    for name in ["--see", "--r", "--keep", "--no-c", "--hel"] {
      #expect(try ArgumentParser.parse([name]).problems.count == 1)
    }
  }

  @Test func `the value of a mistyped option is no file`() throws {
    #expect(try ArgumentParser.parse(["--sed", "3", "f"]).operands == ["f"])
  }

  @Test func `all mistakes are told at once`() throws {
    let parsed = try ArgumentParser.parse(["--sed=1", "--quiet=1", "--shard", "1/2", "f", "--clock"])
    #expect(parsed.problems.count == 4)
  }

  @Test(arguments: CommandTable.later)
  func `a command of a later version says so`(_ word: String) {
    #expect(throws: UsageProblem("the command \(word) is not available in this version")) {
      try ArgumentParser.parse([word, "a", "--x"])
    }
  }
}

@Suite struct `Values of options` {
  @Test(arguments: [
    (["--seed", "-1"], "--seed -1: the value is not right; write a whole number from 0 to 9007199254740991"),
    (["--seed", "9007199254740992"], "9007199254740991"),
    (["--seed", "+1"], "--seed +1"), (["--seed", "1.5"], "--seed 1.5"),
    (["--readers", "0"], "--readers 0: the value is not right; write a whole number, at least 1"),
    (["--readers", "many"], "--readers many"),
    (["--clock", "sundial"], "--clock sundial: the value is not right; write virtual or wall"),
    (["--set", "client.cacheTTL"], "PATH=VALUE"), (["--set", "=3"], "PATH=VALUE"),
    (["--report", "json"], "--report json: not FORMAT=PATH"),
    (["--report", "json="], "not FORMAT=PATH"),
    (["--report", "jsn=-"], "--report jsn=-: unknown format \"jsn\"; did you mean json?"),
    (["--report", "sarif=-"], "it is json, html, md, bench, hdr or junit"),
    (["--report", "json=-", "--report", "junit=-"], "two reports go to standard output"),
    (["--report", "json=x", "--report", "junit=x"], "two reports go to x"),
  ])
  func `a wrong value is told before any file is read`(_ arguments: [String], _ message: String) throws {
    let settings = RunSettings(try ArgumentParser.parse(arguments))
    #expect(settings.problems.count == 1)
    #expect(settings.problems.first?.message.contains(message) == true)
    #expect(settings.overrides.isEmpty)
  }

  @Test func `overrides keep the order of the command line`() throws {
    let arguments = ["--set", "a=1", "--readers", "9", "--seed", "3", "--set", "b=2", "--clock", "wall"]
    let settings = RunSettings(try ArgumentParser.parse(arguments))
    #expect(settings.problems.isEmpty)
    #expect(
      settings.overrides.map(\.text) == ["--set a=1", "--readers 9", "--seed 3", "--set b=2", "--clock wall"])
  }
}

@Suite struct `Help` {
  private let words = CommandWord.allCases

  @Test(arguments: [80, 60, 40]) func `help fits its columns`(_ columns: Int) {
    let pages =
      [HelpPage.overview(columns: columns)]
      + words.map { HelpPage.page(of: CommandTable.spec(of: $0), columns: columns) }
    for line in pages.flatMap({ $0.split(separator: "\n") }) {
      // Commands to be typed are not broken in a word.
      #expect(line.count <= columns || !line.contains(" ") || columns < 60, "\(line)")
      #expect(line.last != " ")
    }
  }

  @Test func `help names every option of this version and none of a later one`() {
    let page = HelpPage.page(of: CommandTable.spec(of: .run), columns: 80)
    for option in CommandTable.spec(of: .run).availableOptions { #expect(page.contains(option.usage)) }
    for option in OptionSpec.later { #expect(!page.contains(option.typed)) }
  }

  @Test func `help names every command but the one that nobody types`() {
    let overview = HelpPage.overview(columns: 80)
    for word in words where word != .exploreWorker { #expect(overview.contains("simulate \(word.rawValue)")) }
    #expect(!overview.contains("explore-worker"))
    #expect(CommandTable.all.map(\.word) == words.filter { $0 != .exploreWorker })
  }

  @Test(arguments: CommandWord.allCases) func `every command has help`(_ word: CommandWord) {
    let world = World()
    #expect(world.run(word.rawValue, "--help") == .passed)
    #expect(world.output.contains("simulate \(word.rawValue)"))
    #expect(world.errors.isEmpty)
  }

  @Test func `help wins over whatever else is wrong`() {
    let world = World()
    #expect(world.run("missing.json", "--sed", "1", "--help") == .passed)
    #expect(world.output.contains("Usage"))
    #expect(world.errors.isEmpty)
  }

  @Test func `the version tells the build`() {
    let world = World()
    #expect(world.run("--version") == .passed)
    #expect(world.output == "simulate 0.1.0 (build test)\n")
  }
}
