/// Tells code that runs on behalf of a reader which group the reader is in.
///
/// A client's tasks inherit it from the call that started them, so that a request can carry the `group` tag without
/// the client knowing of groups.
enum ReaderScope {
  /// The number of the group in the scenario; -1 outside every group.
  @TaskLocal static var group = -1
}
