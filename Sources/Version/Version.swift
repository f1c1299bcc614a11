/// The number of this version, with `-dev` between two releases: what a panel has room for.
///
/// `lenkerVersion`, which `Boards/version` writes for each build, has the commit behind it where there is one.
package var lenkerNumber: String { "0.3.0-dev" }
