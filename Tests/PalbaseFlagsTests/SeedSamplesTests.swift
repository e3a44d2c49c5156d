import Palbase
import PalbaseFlags
import Testing

// The seed's samples as written; `View` is replaced by a plain function on the main actor.

private struct Theme: Decodable { let accent: String }

@Suite struct SeedSamplesTests {
  @MainActor
  private func checkout() -> [String] {
    // Drawn again when one of these flags changes: in Studio, the user's own value, another user signing in.
    let flags = pb.flags.state
    var texts = [flags.string("banner_text", default: "Welcome")]
    if flags.bool("new_checkout", default: false) {
      texts.append("Up to \(flags.int("cart_limit", default: 20)) items")
    }
    return texts
  }

  private func applyFlags() async -> String {
    // Wait for current values before a first screen that depends on them.
    try? await pb.flags.refresh()
    let theme = pb.flags.decode("theme", as: Theme.self)
    let shown = "\(theme?.accent ?? "default accent") \(pb.flags.source("theme") ?? "none")"

    for await keys in pb.flags.changes where keys.contains("maintenance") {
      print("maintenance is now", pb.flags.bool("maintenance", default: false))
    }
    return shown
  }

  @Test func `the samples run on a client without a project and give the defaults`() async {
    #expect(await checkout() == ["Welcome"])
    #expect(await applyFlags() == "default accent none")
  }
}
