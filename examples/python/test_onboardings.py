"""Use cases of onboardings, end to end: the programs of this folder against the broker that
FLOWBRIDGED names, serving examples/catalog-quiz."""

import json
import os
import tempfile
import unittest

from test_programs import BROKER, HERE, ProgramCase


@unittest.skipUnless(BROKER, "FLOWBRIDGED names no broker")
class OnboardingTests(ProgramCase):
    """One broker for all of them."""

    catalog = HERE.parent / "catalog-quiz"

    def callbacks(self, output: str) -> list[str]:
        """The callbacks in order, without what is the app's or the finger's."""
        return [" ".join(line.split()[1:]) for line in output.splitlines()
                if line.startswith("  callback")]

    def test_uc_12_inputs_enrich_the_profile_and_nothing_else_does(self) -> None:
        output = self.run_program("enrich_profile.py")
        stored = json.loads(output.split("What the service has stored\n")[1].split("\n", 1)[1])
        self.assertEqual((stored["first_name"], stored["email"]), ("Jane", "jane@example.com"))
        calls = [line for line in output.splitlines() if "update_profile" in line]
        self.assertEqual([call.split()[-1] for call in calls], ["first_name", "email"])
        heard = self.callbacks(output)
        for element in ("name input", "email input"):
            place = heard.index(f"on_state_updated_action {element}")
            self.assertIn("did_load_latest_profile", heard[place + 1:place + 4])
        self.assertEqual(heard.count("did_load_latest_profile"), 1 + 2)  # the first: activate
        self.assertIn("on_state_updated_action nickname input", heard)
        self.assertEqual(heard[-1], "on_state_updated_action experience select")

    def test_uc_23_the_answer_of_the_quiz_decides_the_next_paywall(self) -> None:
        for answer in ("beginner", "amateur", "pro"):
            with self.subTest(answer):
                output = self.run_program("quiz_paywall.py", "--answer", answer)
                shown = output.split("What is on screen\n")[1].splitlines()[1:]
                self.assertEqual(shown, [
                    f"main: var_main_{answer}", f"The plan for {answer}",
                    "without an answer it is var_main_everybody"])
                attribute = f'did_load_latest_profile experience = "{answer}"'
                self.assertIn(attribute, self.callbacks(output))

    def test_uc_23_without_an_answer_it_is_the_paywall_of_all_users(self) -> None:
        output = self.run_program("quiz_paywall.py", "--answer", "none")
        self.assertIn("main: var_main_everybody\n", output)
        self.assertNotIn("update_profile", output)

    def test_uc_40_the_onboarding_goes_before_the_paywall_comes(self) -> None:
        output = self.run_program("quiz_paywall.py")
        steps = [" ".join(line.split()) for line in output.splitlines()]
        first = steps.index("callback on_paywall_action main")
        self.assertEqual(
            [step.split()[1] for step in steps[first:first + 8]],
            ["on_paywall_action", "dismiss", "get_flow", "get_flow_configuration",
             "create_flow_controller", "present", "view_presented", "flow_did_appear"])

    def test_uc_31_analytics_are_forwarded_in_order_and_as_documented(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "analytics.jsonl")
            output = self.run_program("forward_analytics.py", path)
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
        expected = [
            ("onboarding_started", 0), ("screen_presented", 0), ("screen_completed", 0),
            ("screen_presented", 1), ("second_screen_presented", 1), ("user_email_collected", 1),
            ("screen_completed", 1), ("screen_presented", 2), ("screen_completed", 2),
            ("screen_presented", 3), ("onboarding_completed", 3)]
        self.assertEqual(
            [(line["name"], line["meta"]["screen_index"]) for line in lines], expected)
        self.assertEqual(lines[2], {
            "name": "screen_completed", "params": {"element_id": "start"},
            "meta": {"onboarding_id": "welcome_quiz", "screen_cid": "hello", "screen_index": 0,
                     "total_screens": 4}})
        named = [f"on_analytics_event {name} {index}" for name, index in expected]
        email = named.index("on_analytics_event user_email_collected 1")
        self.assertEqual(
            self.callbacks(output),
            ["did_load_latest_profile", "view_presented welcome", "did_finish_loading",
             *named[:email], "on_state_updated_action email input", *named[email:]])


if __name__ == "__main__":
    unittest.main()
