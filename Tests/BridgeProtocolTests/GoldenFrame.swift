import Testing

@testable import BridgeProtocol

/// One frame as every client must write or read it: the message without its length, and its line.
struct GoldenFrame: Sendable, CustomTestStringConvertible {
    /// What it is.
    let name: String
    /// Whether it goes to the broker.
    let isRequest: Bool
    /// The bytes of the message, two hexadecimal digits each.
    let hex: String
    /// What line mode prints for it, without LF.
    let line: String

    var testDescription: String { name }

    var bytes: [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// Made by another implementation (protobuf for Python), so that both sides are held to the
    /// same bytes.
    static let all: [GoldenFrame] = [
        GoldenFrame(
            name: "a ping", isRequest: true,
            hex:
                "080162050a03010203",
            line:
                #"{"id":"1","deadlineMs":0,"ping":{"payload":"AQID"}}"#),
        GoldenFrame(
            name: "a get_flow with a deadline and an age of 0", isRequest: true,
            hex:
                "08ac02108827ea020e0a0a6f6e626f617264696e671800",
            line:
                #"{"id":"300","deadlineMs":5000,"getFlow":{"placementId":"onboarding","fetch"#
                + #"Policy":"","maxAgeMs":"0"}}"#),
        GoldenFrame(
            name: "a tapped option", isRequest: true,
            hex:
                "0802b204170a0276314a110a0a657870657269656e6365120370726f",
            line:
                #"{"id":"2","deadlineMs":0,"perform":{"viewId":"v1","tapOption":{"elementId""#
                + #":"experience","optionId":"pro"}}}"#),
        GoldenFrame(
            name: "a profile with an enum below zero and attributes in their order",
            isRequest: true,
            hex:
                "0803e20243320a313939302d30362d313538ffffffffffffffffff014a100a04706c616e12084e"
                + "677579e1bb856e4a0f0a04636f737419000000000000f8bf4a070a036f6c642001",
            line:
                #"{"id":"3","deadlineMs":0,"updateProfile":{"firstName":"","lastName":"","em"#
                + #"ail":"","phoneNumber":"","gender":"","birthday":"1990-06-15","attStatus":""#
                + #"unknown","customAttributes":[{"key":"plan","string":"Nguyễn"},{"key":"cost"#
                + #"","double":-1.5},{"key":"old","remove":true}]}}"#),
        GoldenFrame(
            name: "a configuration with a map of texts and one of numbers", isRequest: true,
            hex:
                "0804fa02240a01761a0b0a046e616d651203416e6e22100a03656e6410ffffffffffffffffff01"
                + "2a00",
            line:
                #"{"id":"4","deadlineMs":0,"getFlowConfiguration":{"variationId":"v","locale"#
                + #"":"","tags":{"name":"Ann"},"timers":{"end":"-1"},"products":{"vendorProduc"#
                + #"tIds":[]}}}"#),
        GoldenFrame(
            name: "an answer with nothing in it", isRequest: false,
            hex:
                "0802b20400",
            line:
                #"{"id":"2","perform":{}}"#),
        GoldenFrame(
            name: "an error of the SDK", isRequest: false,
            hex:
                "08091219121108d20f120c6e6f744163746976617465641a026e6f2801",
            line:
                #"{"id":"9","error":{"bridge":"NONE","sdk":{"code":2002,"name":"notActivated"#
                + #"","message":""},"message":"no","field":"","retryable":true,"preloadErrors""#
                + #":{},"catalogFaults":[]}}"#),
        GoldenFrame(
            name: "an event of user input", isRequest: false,
            hex:
                "1a41080712016420e8072a035554433505000000c2012c0a0f666c6f775f757365725f696e7075"
                + "7412150a0576616c7565120c2a0a0a0673706f7274730a001a027b7d",
            line:
                #"{"id":"0","event":{"sequence":"7","device":"d","viewId":"","timeMs":"1000""#
                + #","timeZone":"UTC","subscriptionId":5,"didReceiveAnalyticEvent":{"name":"fl"#
                + #"ow_user_input","params":{"value":{"stringList":{"values":["sports",""]}}},"#
                + #""payloadJson":"{}"}}}"#),
    ]
}
