extension BrokenCatalog {
    /// Faults of `products.json`.
    static let productFaults = [
        BrokenCatalog(
            "products have to be there", ["products.json": "{}"],
            #"""
            products.json#: "products" is missing: the products of the store
            """#),
        BrokenCatalog(
            "a product twice", ["products.json": products("\(product), \(product)")],
            #"""
            products.json#/products/1/vendor_product_id: the product "gold" is there twice
            """#),
        BrokenCatalog(
            "a product without anything", ["products.json": products("{}, null")],
            #"""
            products.json#/products/0: "vendor_product_id" is missing: the product's id in \#
            the store
            products.json#/products/0: "price" is missing: a price as decimal text, such as \#
            "9.99"
            products.json#/products/0: "currency_code" is missing: a currency of three \#
            capital letters, such as "USD"
            products.json#/products/0: "title" is missing: the product's title
            products.json#/products/1: expected a product: an object with \#
            "vendor_product_id", found null
            """#),
        BrokenCatalog(
            "FC-26 prices are decimal text",
            [
                "products.json": products(
                    ["9,99", "1.", "-1", "1.2.3", ""].enumerated().map { index, price in
                        product.replacing("gold", with: "gold\(index)")
                            .replacing(#""price": "1""#, with: #""price": "\#(price)""#)
                    }.joined(separator: ", ") + ", "
                        + product.replacing(#""price": "1""#, with: #""price": 9.99"#))
            ],
            #"""
            products.json#/products/0/price: expected a price as decimal text, such as \#
            "9.99", found "9,99"
            products.json#/products/1/price: expected a price as decimal text, such as \#
            "9.99", found "1."
            products.json#/products/2/price: expected a price as decimal text, such as \#
            "9.99", found "-1"
            products.json#/products/3/price: expected a price as decimal text, such as \#
            "9.99", found "1.2.3"
            products.json#/products/4/price: expected a price as decimal text, such as \#
            "9.99", found ""
            products.json#/products/5/price: expected a price as decimal text, such as \#
            "9.99", found the number 9.99
            """#),
        BrokenCatalog(
            "currencies, periods and flags",
            [
                "products.json": products(
                    #"""
                    {"vendor_product_id": "gold", "title": "Gold", "price": "1",
                     "currency_code": "usd", "subscription_period": "1 month", "in_store": "yes"},
                    {"vendor_product_id": "coins", "title": "Coins", "price": "1",
                     "currency_code": "USD", "subscription_period": "P1M", "is_consumable": true}
                    """#)
            ],
            #"""
            products.json#/products/0/currency_code: expected a currency of three capital \#
            letters, such as "USD", found "usd"
            products.json#/products/0/subscription_period: expected a period of ISO 8601 in \#
            days, weeks, months or years, such as "P1M", found "1 month"
            products.json#/products/0/in_store: expected true or false, found "yes"
            products.json#/products/1/subscription_period: a consumable product has no \#
            subscription period
            """#),
        BrokenCatalog(
            "FC-20 a product that the store does not know",
            ["products.json": products(product.replacing("}", with: #", "in_store": false}"#))],
            #"""
            products.json#/products/0/in_store: warning: the store does not know the product, \#
            so no flow gets it (FC-20, FC-24)
            """#),
    ]
}
