import FuzzTargets
import Glibc

// The program of libFuzzer with all targets. scripts/fuzz builds and starts it.
//
//   fuzz TARGET --seeds FOLDER GOLDEN EXAMPLES   writes the inputs to begin with
//   fuzz TARGET --dictionary FILE                writes words for the mutations
//   fuzz TARGET --pack FILE INPUT…               writes a corpus: a verdict and an input a line
//   fuzz TARGET …                                what libFuzzer takes

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ tryOne: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

nonisolated(unsafe) private var target = FuzzTarget.frames  // set before the first input

// What libFuzzer starts by itself, for -merge and -jobs, has no name of a target but this.
private let words = CommandLine.arguments
private let named = words.count > 1 ? FuzzTarget(rawValue: words[1]) : nil
private let inherited = getenv("FLOWBRIDGE_FUZZ_TARGET").flatMap {
    FuzzTarget(rawValue: String(cString: $0))
}
guard let chosen = named ?? inherited else {
    print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) …")
    exit(64)
}
target = chosen
setenv("FLOWBRIDGE_FUZZ_TARGET", chosen.rawValue, 1)

switch words.dropFirst(2).first {
case "--seeds": try Seeds.write(target, into: words[3], golden: words[4], examples: words[5])
case "--dictionary": try Seeds.writeDictionary(to: words[3])
case "--pack": try CorpusFile.pack(target, Array(words.dropFirst(4)), to: words[3])
default:
    if target == .messages {
        atexit { print(MessageTarget.coverage) }
    }
    // libFuzzer sees the words behind the target's name.
    let skipped = named == nil ? 0 : 1
    var count = CommandLine.argc - Int32(skipped)
    var rest = CommandLine.unsafeArgv + skipped
    rest[0] = CommandLine.unsafeArgv[0]
    exit(
        runFuzzer(&count, &rest) { bytes, count in
            _ = target.verdict(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        })
}
