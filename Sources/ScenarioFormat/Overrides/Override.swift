/// A change to a scenario from the command line, with the text of its value as it was given.
///
/// Nothing is checked here: a value that does not fit is reported with all other problems when the scenario
/// is loaded.
public enum Override: Sendable, Equatable {
  /// `--seed N`.
  case seed(String)
  /// `--readers N`: scales all groups in proportion so that they are N together.
  case readers(String)
  /// `--clock virtual|wall`.
  case clock(String)
  /// `--set PATH=VALUE`: the value at a path such as `readers.launch.iterations` or `timeline[0].at`.
  case set(String)

  /// The option as it is shown in reports and messages.
  public var text: String {
    switch self {
    case .seed(let value): "--seed \(value)"
    case .readers(let value): "--readers \(value)"
    case .clock(let value): "--clock \(value)"
    case .set(let assignment): "--set \(assignment)"
    }
  }
}
