/// Which version of Lenker this is.
public var lenkerVersion: String { "0.2.0" }
