// Written by scripts/embed-sample from the files of examples/catalog; change those.
// swift-format-ignore-file

/// The files of the built-in catalog.
enum SampleCatalog {
    /// Names relative to the folder, and their text.
    static let files: [(name: String, text: StaticString)] = [
        ("flows/premium_offer_v1.json", #"""
{
  "$schema": "../../../docs/catalog.schema.json",
  "locales": ["en", "de"],
  "screens": [
    {
      "id": "scr_offer",
      "elements": [
        {
          "type": "text",
          "text": { "en": "Go premium", "de": "Hol dir Premium" }
        },
        {
          "type": "product_list",
          "element_id": "plans",
          "products": ["premium_monthly", "premium_yearly"]
        },
        {
          "type": "button",
          "element_id": "buy",
          "text": { "en": "Continue", "de": "Weiter" },
          "actions": [{ "type": "purchase", "product_list_id": "plans" }]
        },
        {
          "type": "button",
          "element_id": "restore",
          "text": { "en": "Restore purchases", "de": "Käufe wiederherstellen" },
          "actions": [{ "type": "restore" }]
        },
        {
          "type": "button",
          "element_id": "close",
          "text": { "en": "Not now", "de": "Nicht jetzt" },
          "actions": [{ "type": "close" }]
        }
      ]
    }
  ]
}

"""#),
        ("flows/registration_v1.json", #"""
{
  "$schema": "../../../docs/catalog.schema.json",
  "locales": ["en", "de"],
  "default_locale": "en",
  "screens": [
    {
      "id": "scr_registration",
      "elements": [
        {
          "type": "text",
          "text": { "en": "Create your account", "de": "Konto anlegen" }
        },
        {
          "type": "text_input",
          "element_id": "name",
          "text": { "en": "Name", "de": "Name" },
          "placeholder": { "en": "Jane Doe", "de": "Erika Mustermann" }
        },
        {
          "type": "email_input",
          "element_id": "email",
          "text": { "en": "E-mail", "de": "E-Mail" },
          "placeholder": "you@example.com"
        },
        {
          "type": "phone_input",
          "element_id": "phone",
          "text": { "en": "Phone", "de": "Telefon" }
        },
        {
          "type": "number_input",
          "element_id": "age",
          "text": { "en": "Age", "de": "Alter" }
        },
        {
          "type": "password_input",
          "element_id": "password",
          "text": { "en": "Password", "de": "Passwort" }
        },
        {
          "type": "date_picker",
          "element_id": "birthday",
          "text": { "en": "Birthday", "de": "Geburtstag" }
        },
        {
          "type": "button",
          "element_id": "next",
          "text": { "en": "Next", "de": "Weiter" },
          "actions": [{ "type": "open_screen", "screen_id": "scr_quiz" }]
        }
      ]
    },
    {
      "id": "scr_quiz",
      "elements": [
        {
          "type": "single_choice",
          "group_id": "experience",
          "text": { "en": "How experienced are you?", "de": "Wie erfahren bist du?" },
          "options": [
            {
              "element_id": "beginner",
              "element_title": "I am just starting",
              "text": { "en": "Beginner", "de": "Neuling" }
            },
            {
              "element_id": "amateur",
              "element_title": "I train for fun",
              "text": { "en": "Amateur", "de": "Hobby" }
            },
            {
              "element_id": "pro",
              "element_title": "I train professionally",
              "text": { "en": "Pro", "de": "Profi" }
            }
          ]
        },
        {
          "type": "multi_choice",
          "group_id": "interests",
          "text": { "en": "What do you like?", "de": "Was magst du?" },
          "options": [
            {
              "element_id": "sports",
              "element_title": "Sports",
              "text": { "en": "Sports", "de": "Sport" }
            },
            {
              "element_id": "music",
              "element_title": "Music",
              "text": { "en": "Music", "de": "Musik" }
            },
            {
              "element_id": "travel",
              "element_title": "Travel",
              "text": { "en": "Travel", "de": "Reisen" }
            }
          ]
        },
        {
          "type": "toggle",
          "group_id": "reminders",
          "text": { "en": "Remind me", "de": "Erinnere mich" }
        },
        {
          "type": "button",
          "element_id": "next",
          "text": { "en": "Next", "de": "Weiter" },
          "actions": [{ "type": "open_screen", "screen_id": "scr_done" }]
        }
      ]
    },
    {
      "id": "scr_done",
      "elements": [
        {
          "type": "text",
          "text": { "en": "All set", "de": "Fertig" }
        },
        {
          "type": "button",
          "element_id": "done",
          "text": { "en": "Done", "de": "Los" },
          "actions": [{ "type": "close" }]
        }
      ]
    }
  ]
}

"""#),
        ("onboardings/onboarding_123.json", #"""
{
  "$schema": "../../../docs/catalog.schema.json",
  "locales": ["en", "de"],
  "screens": [
    {
      "id": "welcome_screen",
      "elements": [
        {
          "type": "text",
          "text": { "en": "Welcome", "de": "Willkommen" }
        },
        {
          "type": "button",
          "element_id": "start_button",
          "text": { "en": "Start", "de": "Los" },
          "actions": [{ "type": "open_screen", "screen_id": "profile_screen" }]
        }
      ]
    },
    {
      "id": "profile_screen",
      "is_registration_screen": true,
      "elements": [
        {
          "type": "text_input",
          "element_id": "name_input",
          "text": { "en": "Name", "de": "Name" }
        },
        {
          "type": "email_input",
          "element_id": "email_input",
          "text": { "en": "E-mail", "de": "E-Mail" }
        },
        {
          "type": "number_input",
          "element_id": "age_input",
          "text": { "en": "Age", "de": "Alter" }
        },
        {
          "type": "date_picker",
          "element_id": "birthday_picker",
          "text": { "en": "Birthday", "de": "Geburtstag" }
        },
        {
          "type": "button",
          "element_id": "allow_notifications",
          "action_id": "allowNotifications",
          "text": { "en": "Allow notifications", "de": "Mitteilungen erlauben" },
          "actions": [{ "type": "custom" }]
        },
        {
          "type": "button",
          "element_id": "profile_form",
          "reply": "success",
          "text": { "en": "Next", "de": "Weiter" },
          "actions": [{ "type": "open_screen", "screen_id": "preferences_screen" }]
        }
      ]
    },
    {
      "id": "preferences_screen",
      "elements": [
        {
          "type": "single_choice",
          "group_id": "preference_selector",
          "text": { "en": "Choose a plan", "de": "Wähle einen Tarif" },
          "options": [
            { "element_id": "option_1", "value": "premium", "text": "Premium Plan" },
            { "element_id": "option_2", "value": "basic", "text": "Basic Plan" }
          ]
        },
        {
          "type": "button",
          "element_id": "preferences_next",
          "text": { "en": "Next", "de": "Weiter" },
          "actions": [{ "type": "open_screen", "screen_id": "interests_screen" }]
        }
      ]
    },
    {
      "id": "interests_screen",
      "elements": [
        {
          "type": "multi_choice",
          "group_id": "interests_selector",
          "text": { "en": "What do you like?", "de": "Was magst du?" },
          "options": [
            { "element_id": "interest_1", "value": "sports", "text": "Sports" },
            { "element_id": "interest_2", "value": "music", "text": "Music" },
            { "element_id": "interest_3", "value": "travel", "text": "Travel" }
          ]
        },
        {
          "type": "button",
          "element_id": "interests_next",
          "text": { "en": "Next", "de": "Weiter" },
          "actions": [{ "type": "open_screen", "screen_id": "pricing_screen" }]
        }
      ]
    },
    {
      "id": "pricing_screen",
      "is_products_screen": true,
      "elements": [
        {
          "type": "button",
          "element_id": "see_offer",
          "action_id": "premium_offer_1",
          "text": { "en": "See the offer", "de": "Angebot ansehen" },
          "actions": [{ "type": "open_paywall" }]
        },
        {
          "type": "button",
          "element_id": "pricing_next",
          "text": { "en": "Not now", "de": "Nicht jetzt" },
          "actions": [{ "type": "open_screen", "screen_id": "final" }]
        }
      ]
    },
    {
      "id": "final",
      "elements": [
        {
          "type": "text",
          "text": { "en": "You are all set", "de": "Alles bereit" }
        },
        {
          "type": "button",
          "element_id": "close_button",
          "action_id": "close_button",
          "text": { "en": "Close", "de": "Schließen" },
          "actions": [{ "type": "close" }]
        }
      ]
    }
  ]
}

"""#),
        ("placements.json", #"""
{
  "$schema": "../../docs/catalog.schema.json",
  "placements": [
    {
      "id": "onboarding",
      "type": "flow",
      "audiences": [
        {
          "name": "All Users",
          "all_users": true,
          "version_id": "pav_onboarding_1",
          "variations": [
            {
              "variation_id": "var_registration",
              "flow_id": "registration",
              "name": "Registration",
              "flow_version_id": "registration_v1",
              "remote_configs": [
                { "locale": "en", "data": { "headline": "Welcome" } },
                { "locale": "de", "data": { "headline": "Willkommen" } }
              ]
            }
          ]
        }
      ]
    },
    {
      "id": "premium_offer_1",
      "type": "flow",
      "audiences": [
        {
          "name": "All Users",
          "all_users": true,
          "version_id": "pav_premium_offer_1",
          "variations": [
            {
              "variation_id": "var_premium_offer",
              "flow_id": "premium_offer",
              "name": "Premium offer",
              "flow_version_id": "premium_offer_v1",
              "paywalls": [
                { "name": "Premium", "products": ["premium_monthly", "premium_yearly"] }
              ]
            }
          ]
        }
      ]
    },
    {
      "id": "legacy_onboarding",
      "type": "onboarding",
      "audiences": [
        {
          "name": "All Users",
          "all_users": true,
          "version_id": "pav_legacy_onboarding_1",
          "variations": [
            {
              "variation_id": "var_legacy_onboarding",
              "onboarding_id": "onboarding_123",
              "name": "Welcome"
            }
          ]
        }
      ]
    }
  ]
}

"""#),
        ("products.json", #"""
{
  "$schema": "../../docs/catalog.schema.json",
  "products": [
    {
      "vendor_product_id": "premium_monthly",
      "title": "Premium, monthly",
      "description": "All features, billed each month",
      "price": "9.99",
      "currency_code": "USD",
      "localized_price": "$9.99",
      "subscription_period": "P1M"
    },
    {
      "vendor_product_id": "premium_yearly",
      "title": "Premium, yearly",
      "description": "All features, billed once a year",
      "price": "59.99",
      "currency_code": "USD",
      "localized_price": "$59.99",
      "subscription_period": "P1Y"
    }
  ]
}

"""#),
    ]
}
