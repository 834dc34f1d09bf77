import SDKCore
import Testing

@Suite("Errors of the SDK have the codes and names of its table")
struct AdaptyErrorTests {
    private static let table: [(AdaptyError.Code, Int32, String)] = [
        (.notActivated, 2002, "notActivated"), (.badRequest, 2003, "badRequest"),
        (.serverError, 2004, "serverError"), (.networkFailed, 2005, "networkFailed"),
        (.decodingFailed, 2006, "decodingFailed"), (.wrongParam, 3001, "wrongParam"),
        (.activateOnceError, 3005, "activateOnceError"),
        (.profileWasChanged, 3006, "profileWasChanged"),
        (.unidentifiedUserLogout, 3020, "unidentifiedUserLogout"),
        (.adaptyNotActivated, 4002, "adaptyNotActivated"),
        (.adaptyUINotActivated, 4003, "adaptyUINotActivated"),
        (.operationInterrupted, 9000, "operationInterrupted"),
    ]

    @Test("ERR-1 ERR-3 codes and names are exact, and the message is kept", arguments: table)
    func exact(code: AdaptyError.Code, number: Int32, name: String) {
        #expect(code.number == number)
        #expect(code.name == name)
        #expect(AdaptyError(code, "what, which value").message == "what, which value")
    }

    @Test("ERR-4 a retry helps for 2004, 2005 and 3006 alone of these", arguments: table)
    func retryable(code: AdaptyError.Code, number: Int32, name: String) {
        #expect(AdaptyError(code, "").isRetryable == [2004, 2005, 3006].contains(number))
    }
}
