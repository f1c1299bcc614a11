/// Which version of Lenker this is.
package var lenkerVersion: String { "0.2.0" }
