import Metrics

// How the path of a scenario is looked up (DESIGN §5): as given; then, from the front, each part without
// regard to case; then the same below `Scenarios/`. So `scenarios/cold-cache.json` and `cold-cache.json` both
// find `Scenarios/cold-cache.json` on a file system that tells cases apart. Where several names differ in
// case only, the exact one goes first, then the others in order, and a folder that does not lead on is given
// up for the next.

/// Finds scenario files.
public enum ScenarioPath {
  /// The folder of the scenarios that are shipped.
  public static let shippedFolder = "Scenarios"

  /// Finds the file that a path means.
  ///
  /// - Complexity: O(n) in the number of entries of each folder that is searched.
  /// - Parameters:
  ///   - path: The path as it was given.
  ///   - files: The file system.
  /// - Returns: The path of a file that exists.
  /// - Throws: One problem if the path means a folder or nothing, naming the nearest file.
  public static func find(_ path: String, in files: FileTree = .current) throws(Problem) -> String {
    guard !path.isEmpty else {
      throw Problem(file: "\"\"", message: "an empty path", suggestion: "name a file")
    }
    // Folders are searched only if the path as given is no file.
    if files.kind(path) == .file { return path }
    let below = ["", shippedFolder].compactMap { resolve(path, below: $0, in: files) }
    if let file = below.first(where: { files.kind($0) == .file }) { return file }
    let shown = Shown.line(path)
    if let folder = ([path] + below).first(where: { files.kind($0) == .folder }) {
      let scenarios = scenarioNames(in: folder, files)
      throw Problem(
        file: shown,
        message: "is a folder, not a scenario file",
        suggestion: scenarios.isEmpty
          ? "name a file" : "name a file in it, such as \(join(folder, scenarios[0]))"
      )
    }
    throw Problem(file: shown, message: "there is no such file", suggestion: nearest(to: path, in: files))
  }

  /// Returns the first existing path whose parts equal the given ones but for their case.
  private static func resolve(_ path: String, below folder: String, in files: FileTree) -> String? {
    let isAbsolute = path.hasPrefix("/")
    guard !isAbsolute || folder.isEmpty else { return nil }
    let parts = path.split(separator: "/").map(String.init)
    return resolve(parts[...], from: isAbsolute ? "/" : folder, in: files)
  }

  private static func resolve(_ parts: ArraySlice<String>, from folder: String, in files: FileTree) -> String?
  {
    guard let part = parts.first else { return folder.isEmpty ? nil : folder }
    for name in names(like: part, in: folder, files) {
      let path = join(folder, name)
      guard let kind = files.kind(path) else { continue }
      if parts.count == 1 { return path }
      if kind == .folder, let found = resolve(parts.dropFirst(), from: path, in: files) { return found }
    }
    return nil
  }

  private static func names(like part: String, in folder: String, _ files: FileTree) -> [String] {
    // These two are in every folder and in no list of names.
    if part == "." || part == ".." { return [part] }
    let wanted = part.lowercased()
    let names = files.names(folder.isEmpty ? "." : folder).filter { $0 != part && $0.lowercased() == wanted }
    return [part] + names.sorted()
  }

  /// Returns the remedy for a path that means nothing.
  private static func nearest(to path: String, in files: FileTree) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    let name = parts.last ?? path
    let parent = parts.dropLast().joined(separator: "/")
    var folders = [shippedFolder]
    if parent.isEmpty {
      folders.insert(path.hasPrefix("/") ? "/" : "", at: 0)
    } else if let folder = resolve((path.hasPrefix("/") ? "/" : "") + parent, below: "", in: files),
      !folders.contains(folder)
    {
      folders.insert(folder, at: 0)
    }
    let scenarios = folders.flatMap { folder in
      scenarioNames(in: folder, files).map { (name: $0, path: join(folder, $0)) }
    }
    // A name without its extension is nearer than any other name.
    let whole = scenarios.first { $0.name.lowercased() == name.lowercased() + ".json" }?.path
    let similar = Spelling.nearest(to: name, among: scenarios.map(\.name))
    if let meant = whole ?? scenarios.first(where: { $0.name == similar })?.path {
      return "did you mean \(Shown.line(meant))?"
    }
    return scenarios.isEmpty
      ? nil : "there is \(Suggestion.list(scenarios.map(\.path)))"
  }

  private static func scenarioNames(in folder: String, _ files: FileTree) -> [String] {
    files.names(folder.isEmpty ? "." : folder).filter { $0.hasSuffix(".json") }.sorted()
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
