import FlowEngine

/// What a device asks a server for.
struct PlacementQuery: Sendable {
    /// Who answers, and for whom.
    enum Source: Sendable {
        /// The main backend, for the profile's audience (PL-10, PL-20).
        case targeted
        /// The main backend, for All Users (PL-57).
        case defaultAudience
        /// The fallback server, for All Users (PL-53).
        case fallbackServer
    }

    let source: Source
    let placementID: String
    let type: PlacementType
    let profileID: String
    let facts: DeviceFacts
}

/// What a server gives for a placement.
struct ServedContent: Sendable {
    let placement: PlacementValue
    let variation: VariationDocument
    let audienceVersionID: String
    let content: Content
    /// `response_created_at` (PL-46).
    let createdAt: Instant

    /// A flow as every device gets it, or the document of an onboarding.
    enum Content: Sendable {
        case flow(FetchedContent)
        case onboarding(OnboardingDocument)
    }
}

/// An audience with the variation of it that a profile gets.
private struct Choice {
    let audience: PreparedAudience
    let variation: VariationDocument
}

extension Backend {
    /// The content of a placement for a profile; a flow counts as fetched (PL-31).
    ///
    /// - Throws: `badRequest` for an unknown placement or one of the other type (PL-3, PL-4);
    ///   `decodingFailed` for an audience without variations (PL-22) and for an onboarding that
    ///   the catalog does not have.
    func serve(_ query: PlacementQuery, at now: Instant) throws(AdaptyError) -> ServedContent {
        let placement = try placement(query.placementID, as: query.type)
        let profile = profiles[ExactText(query.profileID)]
        guard let choice = choose(from: placement, for: query, profile, at: now) else {
            throw AdaptyError(
                .decodingFailed,
                "placement \"\(placement.document.id)\": the audience that matches has no variation"
            )
        }
        let content = try content(of: choice, in: placement)
        if query.type == .flow { profile?.crossPlacement.hasFetchedFlow = true }
        return ServedContent(
            placement: choice.audience.placement, variation: choice.variation,
            audienceVersionID: choice.audience.document.versionID, content: content,
            createdAt: now)
    }

    /// The variation that the cross-placement test of a profile has for a placement (PL-31).
    func mappedVariationID(at placementID: String, of profileID: String) -> String? {
        profiles[ExactText(profileID)]?.crossPlacement.variationID(at: placementID)
    }

    private func placement(
        _ id: String, as type: PlacementType
    ) throws(AdaptyError) -> PreparedPlacement {
        guard let placement = catalog.preparedPlacement(id) else {
            throw AdaptyError(
                .badRequest, "placement \"\(id.readable())\" is not in the loaded catalog")
        }
        guard placement.document.type == type else {
            throw AdaptyError(
                .badRequest,
                "placement \"\(id)\" has the type \(placement.document.type.rawValue), "
                    + "asked for as \(type.rawValue)")
        }
        return placement
    }

    private func content(
        of choice: Choice, in placement: PreparedPlacement
    ) throws(AdaptyError) -> ServedContent.Content {
        let variation = choice.variation
        guard placement.document.type == .onboarding else {
            return .flow(choice.audience.flow(variation))
        }
        if let document = catalog.onboardingDocuments[variation.contentID] {
            return .onboarding(document)
        }
        throw AdaptyError(
            .decodingFailed,
            "onboarding \"\(variation.contentID)\" of placement \"\(placement.document.id)\" "
                + "is not in the loaded catalog")
    }

    // MARK: Choosing

    private func choose(
        from placement: PreparedPlacement, for query: PlacementQuery, _ profile: StoredProfile?,
        at now: Instant
    ) -> Choice? {
        switch query.source {
        case .targeted:
            return mapped(in: placement, profile)
                ?? targeted(in: placement, query, profile, at: now)
        case .fallbackServer:
            return mapped(in: placement, profile)
                ?? placement.allUsers.flatMap { draw(from: $0, for: query.profileID) }
        case .defaultAudience:
            return placement.allUsers.flatMap { recorded(from: $0, for: query, profile) }
        }
    }

    /// The variation of the test that the profile joined, without a draw (PL-31); nil: the
    /// placement is not in the test, or its variation was removed.
    private func mapped(in placement: PreparedPlacement, _ profile: StoredProfile?) -> Choice? {
        guard let id = profile?.crossPlacement.variationID(at: placement.document.id) else {
            return nil
        }
        for audience in placement.audiences {
            if let variation = audience.draw.variation(id: id) {
                return Choice(audience: audience, variation: variation)
            }
        }
        return nil
    }

    /// By the first audience that matches; those of cross-placement tests are passed over by a
    /// profile that may not join, and drawing from one joins it (PL-21, PL-31).
    private func targeted(
        in placement: PreparedPlacement, _ query: PlacementQuery, _ profile: StoredProfile?,
        at now: Instant
    ) -> Choice? {
        let record = profile?.record ?? ProfileRecord(profile: Profile(profileID: query.profileID))
        let subject = SegmentSubject(record: record.asOf(now), facts: query.facts)
        let mayJoin = profile?.crossPlacement.mayJoin ?? false
        let place = placement.segments.firstMatch(subject, mayJoin: mayJoin)
        guard let place,
            let choice = recorded(from: placement.audiences[place], for: query, profile)
        else { return nil }
        if mayJoin, let test = choice.variation.placementMap {
            profile?.crossPlacement.variations = test
        }
        return choice
    }

    /// The recorded variation while it exists, else a drawn one, which is recorded (PL-28).
    private func recorded(
        from audience: PreparedAudience, for query: PlacementQuery, _ profile: StoredProfile?
    ) -> Choice? {
        let version = ExactText(audience.document.versionID)
        if let id = profile?.assignments[version],
            let variation = audience.draw.variation(id: id)
        {
            return Choice(audience: audience, variation: variation)
        }
        let choice = draw(from: audience, for: query.profileID)
        if let choice { profile?.assignments[version] = choice.variation.variationID }
        return choice
    }

    private func draw(from audience: PreparedAudience, for profileID: String) -> Choice? {
        audience.draw.variation(
            audienceVersionID: audience.document.versionID, profileID: profileID
        ).map { Choice(audience: audience, variation: $0) }
    }
}
