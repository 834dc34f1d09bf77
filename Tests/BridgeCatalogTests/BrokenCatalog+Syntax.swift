extension BrokenCatalog {
    /// Files that are no JSON, or not the JSON of a catalog.
    static let syntax = [
        BrokenCatalog(
            "a syntax fault has its line and column", ["products.json": "{\n  \"a\": }\n"],
            #"""
            products.json#: line 2, column 8: unexpected token near '}'
            """#),
        BrokenCatalog(
            "an empty file", ["products.json": " \n"],
            #"""
            products.json#: the file is empty; expected a JSON object
            """#),
        BrokenCatalog(
            "text after the value", ["products.json": "{\"products\": []} x"],
            #"""
            products.json#: line 1, column 18: end of file expected near 'x'
            """#),
        BrokenCatalog(
            "a byte order mark", ["products.json": "\u{FEFF}{\"products\": []}"],
            #"""
            products.json#: the file begins with a byte order mark; save it as UTF-8 without \#
            one
            """#),
        BrokenCatalog(
            "a key twice is named, and the rest of the file is read on",
            ["products.json": #"{"products": [{"title": "a", "title": "b"}], "x": 1}"#],
            #"""
            products.json#: line 1, column 36: duplicate object key near '"title"'; give each \#
            key of an object once
            products.json#/products/0: "vendor_product_id" is missing: the product's id in \#
            the store
            products.json#/products/0: "price" is missing: a price as decimal text, such as \#
            "9.99"
            products.json#/products/0: "currency_code" is missing: a currency of three \#
            capital letters, such as "USD"
            products.json#/x: unknown key "x"; known here: "products"
            """#),
        BrokenCatalog(
            "NUL in a string", ["products.json": #"{"comment": "a\u0000b"}"#],
            #"""
            products.json#: line 1, column 22: \u0000 is not allowed without JSON_ALLOW_NUL \#
            near '"a\u0000b"'; no text may hold NUL
            """#),
        BrokenCatalog(
            "a NUL byte behind a number", ["products.json": "{\"comment\":\n [\"\u{E4}\", 1\0]}"],
            #"""
            products.json#: line 2, column 9: a NUL byte
            """#),
        BrokenCatalog(
            "NUL in a key", ["products.json": #"{"a\u0000b": 1}"#],
            #"""
            products.json#: line 1, column 11: NUL byte in object key not supported near \#
            '"a\u0000b"'; no text may hold NUL
            """#),
        BrokenCatalog(
            "half a surrogate pair", ["products.json": #"{"comment": "\ud800"}"#],
            #"""
            products.json#: line 1, column 20: invalid Unicode '\uD800' near '"\ud800"'
            """#),
        BrokenCatalog(
            "a number that no double holds", ["products.json": #"{"comment": 1e999}"#],
            #"""
            products.json#: line 1, column 17: real number overflow near '1e999'
            """#),
        BrokenCatalog(
            "a value that is no object", ["products.json": "7"],
            #"""
            products.json#: expected an object with "products", found the number 7
            """#),
        BrokenCatalog(
            "an unknown key is a fault that names the known ones",
            ["flows/f.json": flow(elements: "", #""colour": "red", "comment": 5, "$schema": "x""#)],
            #"""
            flows/f.json#/colour: unknown key "colour"; known here: "locales", \#
            "default_locale", "reports_analytics", "variables", "navigators", "timers", \#
            "screens"
            flows/f.json#/comment: expected a string, found the number 5
            """#),
        BrokenCatalog(
            "a pointer escapes ~ and /",
            ["flows/f.json": flow(elements: "", #""variables": {"a/b~c": {}}"#)],
            #"""
            flows/f.json#/variables/a~1b~0c: expected a text, a number, true, false or an \#
            array of texts, found an object
            """#),
        BrokenCatalog(
            "no placements.json", ["placements.json": ""],
            #"""
            placements.json#: the file is missing; a catalog has at least this one, with \#
            {"placements": […]}
            """#),
        BrokenCatalog(
            "null is no value", ["flows/f.json": flow(elements: "", #""timers": null"#)],
            #"""
            flows/f.json#/timers: expected an array, found null
            """#),
        BrokenCatalog(
            "a broken products.json raises no faults elsewhere",
            [
                "products.json": "{",
                "placements.json": placements(
                    variations: #"""
                        {"variation_id": "v", "flow_id": "f", "flow_version_id": "f",
                         "paywalls": [{"name": "w", "products": ["gold"]}]}
                        """#),
            ],
            #"""
            products.json#: line 1, column 1: string or '}' expected near end of file
            """#),
    ]
}
