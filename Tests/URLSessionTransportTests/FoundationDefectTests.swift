#if canImport(FoundationNetworking)
  import ClientCore
  import LoopbackServer
  import Testing
  import URLSessionTransport

  /// What Foundation on Linux does to this transport and no caller of it can prevent.
  ///
  /// Each test states the right behaviour as a known issue, so that it fails on the first toolchain that
  /// mends the defect; its case then moves to `URLSessionTransportTests` and its line in the transport's
  /// documentation goes.
  @Suite(.timeLimit(.minutes(1)))
  struct FoundationDefectTests {
    /// swiftlang/swift-corelibs-foundation#5285, mended by its PR#5286 after 6.3.1.
    @Test func `a head that is cut short is an error and no end of the process`() async {
      await withKnownIssue("swiftlang/swift-corelibs-foundation#5285") {
        await #expect(processExitsWith: .success) {
          try await ScriptedServer.run { _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Le")
          } _: { server in
            let request = TransportRequest(method: .get, url: server.url("/"))
            _ = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(request) }
          }
        }
      }
    }
  }
#endif
