/// What a program says with its end, of sysexits.h.
public enum ExitStatus {
  /// EX_USAGE: the arguments are wrong.
  public static var usage: Int32 { 64 }
  /// EX_DATAERR: what was read or heard is not as it must be.
  public static var data: Int32 { 65 }
  /// EX_NOINPUT: a file cannot be read.
  public static var noInput: Int32 { 66 }
  /// EX_UNAVAILABLE: something that the program needs is missing.
  public static var unavailable: Int32 { 69 }
  /// EX_CANTCREAT: a file cannot be written.
  public static var cannotCreate: Int32 { 73 }
  /// EX_CONFIG: the board file is wrong.
  public static var configuration: Int32 { 78 }
}
