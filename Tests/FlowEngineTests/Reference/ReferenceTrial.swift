extension Reference {
    /// A flow, what is done with it, and where the engine first differs.
    struct Trial {
        var flow: Flow
        var steps: [Step]
        /// What is tried; a test of the trial itself plants a fault here.
        var makeSubject: @Sendable (Flow) -> Subject = { Subject($0) }

        struct Difference: Equatable {
            /// The place of the step.
            var place: Int
            var expected: String
            var got: String
        }

        /// A random walk through a flow, and its first difference.
        static func random(
            in flow: Flow, from subject: Subject, with generator: inout Generator, steps count: Int
        ) -> (Trial, Difference?) {
            var trial = Trial(flow: flow, steps: [])
            var model = Model(flow)
            var subject = subject
            for place in 0..<count {
                let step = place == 0 ? Step.present : generator.step(model)
                trial.steps.append(step)
                if let difference = trial.difference(at: place, &model, &subject) {
                    return (trial, difference)
                }
            }
            return (trial, trial.differenceShown(model, subject))
        }

        /// Runs the steps again.
        func difference() -> Difference? {
            var model = Model(flow)
            var subject = makeSubject(flow)
            for place in steps.indices {
                if let difference = difference(at: place, &model, &subject) { return difference }
            }
            return differenceShown(model, subject)
        }

        /// What the step brings, and in every third step what the screen then shows.
        private func difference(at place: Int, _ model: inout Model, _ subject: inout Subject)
            -> Difference?
        {
            let expected = model.apply(steps[place])
            let got = subject.apply(steps[place])
            switch (expected, got) {
            case (.refused(let faults), .refused(let named)) where named.isSubset(of: faults): break
            case (.lines(let lines), .lines(let told)) where lines.isExactly(told): break
            default:
                return Difference(place: place, expected: "\(expected)", got: "\(got)")
            }
            return place % 3 == 0 ? differenceShown(model, subject) : nil
        }

        private func differenceShown(_ model: Model, _ subject: Subject) -> Difference? {
            let (should, does) = (model.shown, subject.shown)
            if should.isExactly(does) { return nil }
            return Difference(place: steps.count - 1, expected: "\(should)", got: "\(does)")
        }

        /// The smallest trial that still differs: steps left out, then elements and screens.
        func shrunk() -> Trial {
            var least = self
            if let place = difference()?.place { least.steps = Array(steps.prefix(place + 1)) }
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for smaller in least.smaller() where smaller.difference() != nil {
                    least = smaller
                    isSmaller = true
                    break
                }
            }
            return least
        }

        /// This trial with one thing less.
        private func smaller() -> [Trial] {
            var all: [Trial] = []
            for place in steps.indices.reversed() {
                var smaller = self
                smaller.steps.remove(at: place)
                all.append(smaller)
            }
            if flow.timer != nil {
                var smaller = self
                smaller.flow.timer = nil
                all.append(smaller)
            }
            for place in flow.screens.indices where flow.screens.count > 1 {
                var smaller = self
                smaller.flow.screens.remove(at: place)
                all.append(smaller)
            }
            for screen in flow.screens.indices where flow.screens[screen].elements.count > 1 {
                for place in flow.screens[screen].elements.indices {
                    var smaller = self
                    smaller.flow.screens[screen].elements.remove(at: place)
                    all.append(smaller)
                }
            }
            return all
        }

        /// For the log of a failed test.
        func report(seed: UInt64) -> String {
            var text = "seed \(seed); zone \(flow.zone), start \(flow.start)"
            text += flow.reportsAnalytics ? "" : ", reports nothing"
            text += flow.isClosedBySDK ? "\n" : ", the app leaves it open\n"
            if let timer = flow.timer { text += "timer \(timer)\n" }
            for screen in flow.screens {
                text += "screen \(screen.id)\(screen.closesOnAppear ? ", closes" : "")\n"
                for element in screen.elements { text += "    \(element)\n" }
            }
            for place in steps.indices { text += "\(place): \(steps[place])\n" }
            if let difference = difference() {
                text += "at \(difference.place)\n    expected \(difference.expected)\n"
                text += "    got      \(difference.got)"
            }
            return text.replacing("FlowEngineTests.Reference.", with: "")
        }
    }
}

extension [String] {
    /// The same code points.
    fileprivate func isExactly(_ other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
}
