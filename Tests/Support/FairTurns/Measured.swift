/// How long the phone was away in each of many phases, in milliseconds.
package struct Measured: Sendable {
  /// From the shortest to the longest.
  package let times: [Int64]

  package init(_ times: [Int64]) { self.times = times.sorted() }

  package var median: Int64 { times[times.count / 2] }
  /// Of a hundred times ninety-five are no longer.
  package var late: Int64 { times[min(times.count - 1, times.count * 95 / 100)] }
  package var longest: Int64 { times[times.count - 1] }
}
