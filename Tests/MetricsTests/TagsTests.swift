import Metrics
import Testing

@Suite struct TagsTests {
  @Test func `tags are equal whatever order they were given in, and print sorted`() {
    let tags: Tags = ["group": "launch", "endpoint": "evaluate"]
    #expect(tags == Tags([(name: "endpoint", value: "evaluate"), (name: "group", value: "launch")]))
    #expect(tags.description == "endpoint:evaluate,group:launch")
    #expect(tags["group"] == "launch")
    #expect(tags["status"] == nil)
  }

  @Test func `of two values of one name the last one counts`() {
    let tags = Tags([(name: "a", value: "1"), (name: "b", value: "2"), (name: "a", value: "3")])
    #expect(tags.description == "a:3,b:2")
  }

  @Test func `tags contain their parts and nothing, but no other value`() {
    let tags: Tags = ["endpoint": "evaluate", "status": "200"]
    #expect(tags.contains(.none))
    #expect(tags.contains(["status": "200"]))
    #expect(tags.contains(tags))
    #expect(!tags.contains(["status": "500"]))
    #expect(!tags.contains(["group": "launch"]))
    #expect(!Tags.none.contains(["status": "200"]))
  }

  @Test func `tags sort by pairs, a beginning before what goes on`() {
    let sorted: [Tags] = [[:], ["a": "1"], ["a": "1", "b": "1"], ["a": "2"], ["b": "0"]]
    #expect(sorted.reversed().sorted() == sorted)
  }
}
