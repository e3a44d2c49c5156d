/// Turns byte offsets into lines and columns.
///
/// Columns count characters as a reader sees them, so they cost a walk over the line. All places are
/// therefore resolved together, in order, in one walk over the text: a file of one 16 MB line with a thousand
/// problems costs no more than with one.
struct SourceMap {
  /// A place in a text, both parts from 1.
  struct Place: Equatable {
    var line: Int
    var column: Int
  }

  /// Returns the places of offsets.
  ///
  /// - Complexity: O(n) in the number of bytes.
  /// - Parameters:
  ///   - offsets: Byte offsets in ascending order; one past the end is the place after the last character.
  ///   - bytes: The text.
  /// - Returns: As many places as offsets.
  static func places(of offsets: [Int], in bytes: [UInt8]) -> [Place] {
    var places: [Place] = []
    var place = Place(line: 1, column: 1)
    var position = 0
    var counted = 0
    for offset in offsets {
      let end = min(offset, bytes.count)
      while position < end {
        let byte = bytes[position]
        position += 1
        // A carriage return ends a line unless the line feed after it does.
        let endsLine = byte == 0x0A || byte == 0x0D && (position == bytes.count || bytes[position] != 0x0A)
        if endsLine {
          place.line += 1
          place.column = 1
          counted = position
        }
      }
      if counted < end {
        place.column += String(decoding: bytes[counted..<end], as: UTF8.self).count
        counted = end
      }
      places.append(place)
    }
    return places
  }
}
