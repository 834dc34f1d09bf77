extension FlowSession {
    /// The store has these products now; tells the preselections that this makes possible.
    mutating func productsLoaded(_ ids: [String], _ turn: inout FlowTurn) {
        loadedProducts = [UInt64](repeating: 0, count: (document.products.count + 63) / 64)
        for id in ids {
            guard let place = document.productPlaces[ExactText(id)] else { continue }
            loadedProducts[Int(place) / 64] |= 1 << UInt64(place % 64)
        }
        preselect(&turn)
    }

    func isLoaded(_ product: Int32) -> Bool {
        let word = Int(product) / 64
        return word < loadedProducts.count
            && loadedProducts[word] & (1 << UInt64(product % 64)) != 0
    }

    /// The place of the selected product in its list.
    func selection(of list: ProductListEntry) -> Int? {
        inputs.word(list.slot).map(Int.init)
    }

    /// Selects what the catalog preselects, once per presentation and list, unless the user was
    /// quicker (ACT-20).
    mutating func preselect(_ turn: inout FlowTurn) {
        guard hasAppeared, !turn.isClosed else { return }
        for list in document.preselections {
            guard let place = list.preselected, isLoaded(list.products[place]),
                selection(of: list) == nil
            else { continue }
            select(place, in: list, &turn)
        }
    }

    /// ACT-20, ACT-21.
    mutating func select(_ place: Int, in list: ProductListEntry, _ turn: inout FlowTurn) {
        inputs.setWord(list.slot, to: UInt64(place))
        turn.effects.append(.selectedProduct(document.products[Int(list.products[place])]))
    }

    /// Asks to buy; of a product that is not loaded nothing comes but the flow's own result,
    /// failure (ACT-27).
    mutating func purchase(
        _ choice: ProductChoice, isWeb: Bool, _ results: ResultActions, _ navigator: Int,
        _ turn: inout FlowTurn
    ) throws(ViewError) {
        let product: Int32?
        switch choice {
        case .product(let id): product = document.productPlaces[ExactText(id)]
        case .selected(let name):
            let list = try productList(named: name)
            product = selection(of: list).map { list.products[$0] }
        }
        guard let product, isLoaded(product) else {
            return run(results[.failure] ?? [], navigator: navigator, &turn)
        }
        turn.effects.append(
            .purchaseRequested(
                document.products[Int(product)], isWeb: isWeb,
                request: openRequest(results, navigator)))
    }

    /// The list of that name on the screen in control, else the first one of the flow.
    private func productList(named name: String) throws(ViewError) -> ProductListEntry {
        for screen in [topScreen, document.screens.home(ofElement: name)] {
            guard let screen, let element = screen.names.place(of: name) else { continue }
            if case .productList(let list) = screen.entries[element].content { return list }
        }
        throw .scriptFault("the flow has no product list \"\(name)\"")
    }
}
