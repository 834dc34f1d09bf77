/// An onboarding made ready to run: its content and the tables that all of its sessions share.
public final class OnboardingDocument: Sendable {
    /// The content it was made from.
    public let content: OnboardingContent

    /// Makes the tables.
    public init(_ content: OnboardingContent) {
        self.content = content
    }
}
