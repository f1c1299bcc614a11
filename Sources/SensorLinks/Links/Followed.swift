package import Bond
package import Bytes

extension SensorRoom {
  /// A sensor that is remembered.
  package struct Followed {
    let address: DeviceAddress
    private(set) var handles: SubscribedHandles
    /// What encrypts its link, if it has asked for that.
    private(set) var key: Bond.Key?

    package init(address: DeviceAddress, handles: SubscribedHandles, key: Bond.Key? = nil) {
      (self.address, self.handles, self.key) = (address, handles, key)
    }

    /// Where its value is, is known from its link.
    mutating func learn(_ handles: SubscribedHandles) { self.handles = handles }

    /// Its key is this one from now on; `nil` for one that is not to be tried again.
    mutating func learn(_ key: Bond.Key?) { self.key = key }
  }
}
