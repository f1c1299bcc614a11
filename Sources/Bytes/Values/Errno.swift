/// The error number of a failed system call.
///
/// errno(3); the numbers are those of Linux's asm-generic/errno-base.h and errno.h, which x86, ARM
/// and AArch64 share. It is a value here, so that a module that calls no C can tell errors apart.
public struct Errno: Error, Equatable, Sendable {
  /// The number.
  public let rawValue: Int32

  /// The error with this number.
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

extension Errno {
  /// EPERM: only the administrator may do this.
  public static var notPermitted: Errno { Errno(rawValue: 1) }
  /// ENOENT: no file or folder has this name.
  public static var noSuchFile: Errno { Errno(rawValue: 2) }
  /// EINTR: a signal came first.
  public static var interrupted: Errno { Errno(rawValue: 4) }
  /// EIO: the device failed.
  public static var inputOutput: Errno { Errno(rawValue: 5) }
  /// ENXIO: no device there, or nobody reads the fifo.
  public static var noSuchAddress: Errno { Errno(rawValue: 6) }
  /// EAGAIN: nothing now; try again when poll reports it.
  public static var wouldBlock: Errno { Errno(rawValue: 11) }
  /// EACCES: the file's permissions do not allow this.
  public static var accessDenied: Errno { Errno(rawValue: 13) }
  /// EBUSY: somebody else uses it.
  public static var busy: Errno { Errno(rawValue: 16) }
  /// EEXIST: another kind of file has this name.
  public static var fileExists: Errno { Errno(rawValue: 17) }
  /// ENODEV: no such device.
  public static var noSuchDevice: Errno { Errno(rawValue: 19) }
  /// ENOTDIR: a part of the path is no folder.
  public static var notAFolder: Errno { Errno(rawValue: 20) }
  /// EISDIR: a folder, where a file was asked for.
  public static var isAFolder: Errno { Errno(rawValue: 21) }
  /// EINVAL: the kernel does not accept these arguments.
  public static var invalid: Errno { Errno(rawValue: 22) }
  /// ENOTTY: the device is not of this kind.
  public static var wrongKind: Errno { Errno(rawValue: 25) }
  /// EFBIG: the file is too large.
  public static var fileTooLarge: Errno { Errno(rawValue: 27) }
  /// ENOSPC: the disk is full.
  public static var noSpace: Errno { Errno(rawValue: 28) }
  /// EROFS: the file system is mounted read-only.
  public static var readOnly: Errno { Errno(rawValue: 30) }
  /// EPIPE: the other side is gone.
  public static var peerClosed: Errno { Errno(rawValue: 32) }
  /// ENAMETOOLONG: the path is too long.
  public static var nameTooLong: Errno { Errno(rawValue: 36) }
  /// ELOOP: a symbolic link, where none may be.
  public static var symbolicLink: Errno { Errno(rawValue: 40) }
  /// EUSERS: another program has the user channel.
  public static var tooManyUsers: Errno { Errno(rawValue: 87) }
  /// EOPNOTSUPP: the device cannot do this.
  public static var notSupported: Errno { Errno(rawValue: 95) }
  /// EAFNOSUPPORT: the kernel has no such protocol.
  public static var noSuchFamily: Errno { Errno(rawValue: 97) }
  /// EADDRINUSE: somebody else listens there.
  public static var addressInUse: Errno { Errno(rawValue: 98) }
  /// ENETDOWN: the controller went down.
  public static var networkDown: Errno { Errno(rawValue: 100) }
  /// ENETUNREACH: there is no way to this address.
  public static var networkUnreachable: Errno { Errno(rawValue: 101) }
  /// ECONNABORTED: the peer left before its connection was accepted.
  public static var connectionAborted: Errno { Errno(rawValue: 103) }
  /// ECONNRESET: the other side broke the connection.
  public static var connectionReset: Errno { Errno(rawValue: 104) }
  /// ETIMEDOUT: no answer in time.
  public static var timedOut: Errno { Errno(rawValue: 110) }
  /// ECONNREFUSED: nobody listens there.
  public static var connectionRefused: Errno { Errno(rawValue: 111) }
  /// EHOSTUNREACH: there is no way to this host.
  public static var hostUnreachable: Errno { Errno(rawValue: 113) }
  /// EINPROGRESS: it was begun and is not done.
  public static var inProgress: Errno { Errno(rawValue: 115) }
  /// EREMOTEIO: nobody acknowledged on the bus.
  public static var remoteIO: Errno { Errno(rawValue: 121) }
  /// ERFKILL: the radio is switched off.
  public static var radioBlocked: Errno { Errno(rawValue: 132) }
}
