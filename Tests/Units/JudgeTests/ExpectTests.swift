import Expecting

/// What all other tests rely on: an expectation that does not hold is an issue.
struct ExpectTests {
  @Test func twoValuesThatDifferAreAnIssueThatSaysBothAndTheComment() {
    withKnownIssue {
      expect([1, 2], [1, 3], "the reason")
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["[1, 2] is not [1, 3]: the reason"]
        && issue.sourceLocation?.fileName == "ExpectTests.swift"
    }
  }

  @Test func whatIsNotSoIsAnIssue() {
    withKnownIssue { expect(2 + 2 == 5) }
    withKnownIssue {
      expect(2 + 2 == 5, "arithmetic")
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["arithmetic"]
    }
  }

  @Test func whatHoldsIsNone() {
    expect(2 + 2, 4, "never formatted: \(unwanted())")
    expect(2 + 2 == 4, "never formatted: \(unwanted())")
  }

  private func unwanted() -> Int {
    Issue.record("a comment was formatted though all is well")
    return 0
  }
}
