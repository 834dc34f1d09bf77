import FlowEngine

// Fetching of flows and onboardings from cache, servers and file (PL-40 to PL-58).
extension SDKDevice {
    /// The cached content by which a fetch is answered without asking a server (PL-41, PL-42).
    func contentByPolicy(for fetch: Fetch) -> FetchedContent? {
        guard fetch.kind != .preload, let cached = cached(for: fetch),
            fetch.policy.allowsCached(ageMs: now.ms - cached.fetchedAt.ms)
        else { return nil }
        return cached.content
    }

    /// What a server will answer; content is chosen at this moment (PL-20).
    func serve(_ fetch: Fetch, from server: CallCondition.Server, to profileID: String)
        -> BackendReply
    {
        let source: PlacementQuery.Source =
            if server == .fallback { .fallbackServer } else if fetch.kind == .defaultAudience {
                .defaultAudience
            } else {
                .targeted
            }
        let query = PlacementQuery(
            source: source, placementID: fetch.placementID, type: fetch.type,
            profileID: profileID, facts: DeviceFacts(configuration))
        do throws(AdaptyError) {
            return .content(try backend.serve(query, at: now))
        } catch {
            return .failure(ServerFailure(error))
        }
    }

    /// Takes content of a server when it comes: into the cache, unless that has a newer one of the
    /// same variation (PL-46).
    mutating func take(
        _ served: ServedContent, for fetch: Fetch, of call: WaitingCall
    ) -> FetchedContent {
        let content = content(served, for: fetch)
        // One event for each content taken, also a single or a recorded one (PL-30).
        record(
            .assigned(fetch.type, audienceVersionID: served.audienceVersionID),
            variationID: served.variation.variationID, profileID: call.profileID)
        // The profile went on to another one: its cache is not for this content (PL-44).
        guard call.profileID.isExactly(identity.profileID) else { return content }
        cache.keep(
            CachedPlacement(content: content, createdAt: served.createdAt, fetchedAt: now))
        return content
    }

    /// The cached content that takes the place of an older one of the same variation (PL-46).
    func newer(than served: ServedContent, for fetch: Fetch) -> FetchedContent? {
        guard let cached = cached(for: fetch), served.createdAt < cached.createdAt,
            cached.content.variationID.isExactly(served.variation.variationID)
        else { return nil }
        return cached.content
    }

    /// Goes on with a fetch that a server failed: to the cache, to the fallback server, to the
    /// file, or to its end (PL-52 to PL-57).
    mutating func goOn(
        with fetch: Fetch, at index: Int, after failure: ServerFailure,
        from server: CallCondition.Server, outputs: inout [DeviceOutput]
    ) {
        let asksFallback =
            failure.leadsToFallback && server == .main && fetch.kind != .defaultAudience
        if asksFallback {
            if fetch.kind == .targeted, let cached = cached(for: fetch) {
                return end(index, with: cached.content, outputs: &outputs)
            }
            return ask(index, .fallback, outputs: &outputs)
        }
        if fetch.kind == .preload {
            return answer(index, .failure(.sdk(failure.error)), outputs: &outputs)
        }
        if !filesBeingRead.isEmpty {
            calls[index].phase = .awaitingFile(failure.error)
            return
        }
        endLocally(fetch, at: index, failing: failure.error, outputs: &outputs)
    }

    /// Ends a fetch with the newer one of cache and file, else with the error (PL-55).
    mutating func endLocally(
        _ fetch: Fetch, at index: Int, failing error: AdaptyError, outputs: inout [DeviceOutput]
    ) {
        let cached = cached(for: fetch)
        if let content = contentOfFile(for: fetch, newerThan: cached?.createdAt) {
            end(index, with: content, outputs: &outputs)
        } else if let cached {
            end(index, with: cached.content, outputs: &outputs)
        } else {
            answer(index, .failure(.sdk(error)), outputs: &outputs)
        }
    }

    /// Answers a fetch with content, which configurations can then be made of.
    mutating func end(
        _ index: Int, with content: FetchedContent, outputs: inout [DeviceOutput]
    ) {
        if calls[index].profileID.isExactly(identity.profileID) { fetched.keep(content) }
        answer(index, .success(content.answer), outputs: &outputs)
    }

    /// The cached content that fits a fetch: of its type, and an onboarding in its language or in
    /// its own default locale (PL-48).
    private func cached(for fetch: Fetch) -> CachedPlacement? {
        guard let cached = cache[fetch.placementID], cached.content.type == fetch.type else {
            return nil
        }
        guard case .onboarding(let onboarding) = cached.content else { return cached }
        let locale = OnboardingLocale(onboarding.locale)
        if let wanted = fetch.locale, wanted.hasLanguage(of: locale) { return cached }
        guard let document = onboardingDocument(onboarding.content.contentID) else { return nil }
        let isDefault = locale.index(in: document.content) == document.content.defaultLocale
        return isDefault ? cached : nil
    }

    private mutating func content(_ served: ServedContent, for fetch: Fetch) -> FetchedContent {
        let document: OnboardingDocument
        switch served.content {
        case .flow(let flow): return flow
        case .onboarding(let onboarding): document = onboarding
        }
        documents.keep(document)
        let index =
            fetch.locale?.index(in: document.content) ?? document.content.defaultLocale
        let locale = document.content.locales[index].id
        return .onboarding(
            Onboarding(
                placement: served.placement, content: served.variation,
                remoteConfig: served.variation.remoteConfigs.first {
                    OnboardingLocale($0.locale) == OnboardingLocale(locale)
                }, locale: locale))
    }
}

// MARK: - The fallback file

extension SDKDevice {
    /// Puts a fallback file in force, in place of the former one (PL-70).
    public mutating func setFallback(_ file: any FallbackFile) {
        fallbackFile = file
    }

    /// Says that a call to set a fallback file waits until the file is read: `endFallbackReading`
    /// answers it. Calls that come to need the file wait for that too.
    public mutating func beginFallbackReading(_ id: CallID) {
        filesBeingRead.append(id)
    }

    /// Puts the file that was read in force, or leaves the former one (PL-73), and answers. Nothing
    /// happens if the call has ended meanwhile.
    public mutating func endFallbackReading(
        _ id: CallID, _ result: Result<any FallbackFile, DeviceFault>, at now: Instant,
        outputs: inout [DeviceOutput]
    ) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        guard let place = filesBeingRead.firstIndex(of: id) else { return }
        filesBeingRead.remove(at: place)
        switch result {
        case .success(let file):
            setFallback(file)
            outputs.append(.answer(id, .success(.done)))
        case .failure(let fault): outputs.append(.answer(id, .failure(fault)))
        }
        releaseCalls(outputs: &outputs)
    }

    /// Goes on with a call that has waited for a file.
    mutating func goOnWithFile(_ index: Int, outputs: inout [DeviceOutput]) {
        if case .awaitingFile(let error?) = calls[index].phase,
            case .fetch(let fetch) = calls[index].request
        {
            endLocally(fetch, at: index, failing: error, outputs: &outputs)
        } else {
            ask(index, outputs: &outputs)
        }
    }

    /// The file's content for a fetch, if the file is newer than that instant (PL-77, PL-78).
    private func contentOfFile(for fetch: Fetch, newerThan other: Instant?) -> FetchedContent? {
        guard let file = fallbackFile, other.map({ $0 < file.createdAt }) ?? true,
            let placement = file.placement(fetch.placementID), placement.type == fetch.type,
            let variation = variation(of: placement, for: fetch)
        else { return nil }
        record(
            .assigned(fetch.type, audienceVersionID: placement.audienceVersionID),
            variationID: variation.variationID, profileID: identity.profileID)
        switch fetch.type {
        case .flow:
            return .flow(Flow(placement: placement.placement, content: variation))
        case .onboarding:
            let config = variation.remoteConfigs.first
            return .onboarding(
                Onboarding(
                    placement: placement.placement, content: variation, remoteConfig: config,
                    locale: config?.locale ?? "en"))  // FC-9
        }
    }

    /// The variation of the joined cross-placement test if the file has it (PL-31), else a drawn
    /// one (PL-78).
    private func variation(of placement: FallbackPlacement, for fetch: Fetch) -> VariationDocument?
    {
        if fetch.kind == .targeted,
            let mapped = backend.mappedVariationID(
                at: fetch.placementID, of: identity.profileID),
            let variation = placement.draw.variation(id: mapped)
        {
            return variation
        }
        return placement.draw.variation(
            audienceVersionID: placement.audienceVersionID, profileID: identity.profileID)
    }
}
