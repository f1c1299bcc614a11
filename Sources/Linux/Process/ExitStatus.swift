/// What a program says with its end, of sysexits.h.
package enum ExitStatus {
  /// EX_USAGE: the arguments are wrong.
  package static var usage: Int32 { 64 }
  /// EX_DATAERR: what was read or heard is not as it must be.
  package static var data: Int32 { 65 }
  /// EX_NOINPUT: a file cannot be read.
  package static var noInput: Int32 { 66 }
  /// EX_UNAVAILABLE: something that the program needs is missing.
  package static var unavailable: Int32 { 69 }
  /// EX_CANTCREAT: a file cannot be written.
  package static var cannotCreate: Int32 { 73 }
  /// EX_CONFIG: the board file is wrong.
  package static var configuration: Int32 { 78 }
}
