import Testing

@Suite struct FloorTests {
  private static let floors = Dictionary(uniqueKeysWithValues: Floor.all.map { ($0.target, $0) })

  @Test func `every target has its place in the house`() {
    #expect(Repository.folders(in: "Sources") == Floor.all.map(\.target).sorted())
  }

  @Test func `no target imports what its floor must not know`() throws {
    for file in Repository.swiftFiles {
      guard let target = file.target, let floor = Self.floors[target] else { continue }
      for (module, line) in Floor.imports(of: file.text)
      where !floor.imports.contains(module) && !Floor.everywhere.contains(module) {
        Issue.record("\(file.path):\(line): \(target) must not import \(module) (DESIGN §2, Floors.swift)")
      }
    }
  }

  @Test func `floors are imported from above or from beside only`() {
    for floor in Floor.all {
      for module in floor.imports.sorted() {
        guard let other = Self.floors[module] else { continue }
        #expect(other.number <= floor.number, "\(floor.target) stands below \(module)")
      }
    }
  }

  @Test func `no client knows the simulation`() {
    let clients = [
      "ClientCore", "URLSessionTransport", "LCFeatureControl", "Palbase", "PalbaseAnalytics", "PalbaseFlags",
    ]
    for client in clients {
      for module in ["Simulation", "Events", "Scenarios", "Invariants", "CTaskHooks", "CJemalloc"] {
        #expect(Self.floors[client]?.imports.contains(module) == false)
      }
    }
  }

  @Test func `only live effects of ClientCore use the platform's frameworks`() {
    for file in Repository.swiftFiles where file.target == "ClientCore" && !file.name.hasPrefix("Live") {
      for (module, line) in Floor.imports(of: file.text)
      where ["Dispatch", "UIKit", "AppKit"].contains(module) {
        Issue.record("\(file.path):\(line): \(module) belongs into a file named Live….swift")
      }
    }
  }

  @Test func `imports are found whatever stands around them`() {
    let source = """
      import A
      @testable import B
      public import struct C.D
      #if canImport(E)
        import E
      #endif
      // import F
      let text = "import G"
      """
    #expect(Floor.imports(of: source).map(\.module) == ["A", "B", "C", "E"])
  }
}
