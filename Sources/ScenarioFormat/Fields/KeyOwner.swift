// What stands where it does not belong is told whose it is: of a sibling, or of the other kind of client.

/// Whose a key or a word is that may not stand somewhere.
struct KeyOwner {
  /// The key or the word.
  let key: String
  /// Who may have it, in words for a message.
  let owner: String
}

/// The keys of sibling tables, each with the name of its table, made once for each kind of client.
struct KeyOwners {
  private let ofUnknown: [KeyOwner]
  private let ofKinds: [ClientSpec.Kind: [KeyOwner]]

  /// Creates the owners of the keys of some tables.
  init(_ tables: [FieldTable]) {
    ofUnknown = Self.owners(of: tables, in: nil)
    ofKinds = Dictionary(
      uniqueKeysWithValues: ClientSpec.Kind.allCases.map { ($0, Self.owners(of: tables, in: $0)) })
  }

  /// The owners as a scenario of a kind of client sees them, or of one that is not known if nil.
  ///
  /// What belongs to the other kind comes last, and says so; a key may be there several times, its first owner is the
  /// nearest.
  subscript(kind: ClientSpec.Kind?) -> [KeyOwner] { kind.flatMap { ofKinds[$0] } ?? ofUnknown }

  private static func owners(of tables: [FieldTable], in kind: ClientSpec.Kind?) -> [KeyOwner] {
    var own: [KeyOwner] = []
    var others: [KeyOwner] = []
    for table in tables {
      for field in table.fields {
        if !table.isFor(kind) || !field.isFor(kind), let client = field.client ?? table.client {
          others.append(KeyOwner(key: field.key, owner: "\(table.name) of \(client.words)"))
        } else {
          own.append(KeyOwner(key: field.key, owner: table.name))
        }
      }
    }
    return own + others
  }
}

extension ClientSpec.Kind {
  /// What it is called in messages.
  var words: String { "the client \"\(rawValue)\"" }
}
