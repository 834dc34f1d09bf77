"""Runs the programs of this folder against the broker that FLOWBRIDGED names."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from flowbridge import Bridge, BridgeError, SDKError

HERE = Path(__file__).resolve().parent
BUSY_S = 0.2  # what a busy machine may add to a time
BROKER = os.environ.get("FLOWBRIDGED", "")


class ProgramCase(unittest.TestCase):
    """One broker for all tests of a class."""

    catalog: Path | None = None  # the folder that it serves; without one it is the sample

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = os.path.join(folder.name, "bridge.sock")
        catalog = ["--catalog", str(cls.catalog)] if cls.catalog else []
        cls.broker = subprocess.Popen(
            [BROKER, "--socket", cls.path, "--ephemeral", *catalog], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(cls.broker.stdout.close)
        cls.addClassCleanup(cls.broker.wait)
        cls.addClassCleanup(cls.broker.terminate)
        ready = json.loads(cls.broker.stdout.readline())
        assert ready["ready"] and ready["socket"] == cls.path

    def run_program(self, name: str, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(HERE / name), "--socket", self.path, *arguments],
            capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


@unittest.skipUnless(BROKER, "FLOWBRIDGED names no broker")
class ProgramTests(ProgramCase):
    """The programs that go with the sample catalog, and the client's promises."""

    def test_a_user_registers_with_the_last_value_of_every_input(self) -> None:
        output = self.run_program("register_user.py")
        body = output.split("POST /users\n")[1].split("\n\n")[0]
        self.assertEqual(json.loads(body), {
            "name": "Jane", "email": "jane@example.com", "birthday": "1990-06-15",
            "experience": "pro", "interests": ["sports", "music"], "reminders": True})

    def test_the_profile_has_the_attribute_and_the_backend_the_rest(self) -> None:
        output = self.run_program("register_user.py")
        readable, stored = output.split("get_profile")[1].split("inspect_profile")
        self.assertIn('"experience": {\n      "string": "pro"', readable)
        self.assertNotIn("jane@example.com", readable)
        for text in ('"first_name": "Jane"', '"email": "jane@example.com"', '"1990-06-15"'):
            self.assertIn(text, stored)

    def test_a_birthday_is_the_day_of_its_own_zone_east_and_west(self) -> None:
        for zone in ("Pacific/Auckland", "America/Los_Angeles", "UTC", "America/Sao_Paulo"):
            with self.subTest(zone):
                output = self.run_program("register_user.py", "--time-zone", zone)
                self.assertIn('"birthday": "1990-06-15"', output)

    def test_every_callback_of_an_onboarding_is_printed_as_documented(self) -> None:
        output = self.run_program("onboarding_events.py")
        payloads = [json.loads(line[26:]) for line in output.splitlines() if line[:3] == "  o"]
        self.assertIn(
            {"actionId": "allowNotifications", "meta": {
                "onboardingId": "onboarding_123", "screenClientId": "profile_screen",
                "screenIndex": 1, "screensTotal": 6}}, payloads)
        self.assertEqual(payloads[-1], {"action_id": "close_button", "meta": {
            "onboarding_id": "onboarding_123", "screen_cid": "final", "screen_index": 5,
            "total_screens": 6}})

    def test_the_two_error_spaces_are_told_apart(self) -> None:
        with Bridge("tests", self.path) as bridge:
            bridge.call("open_device", device="errors")
            with self.assertRaises(SDKError) as caught:
                bridge.call("get_profile")
            self.assertEqual(caught.exception.code, 2002)
            with self.assertRaises(BridgeError) as refused:
                bridge.call("perform", view_id="no-such-view", blur={})
            self.assertEqual(refused.exception.code, "NOT_FOUND")

    def test_a_call_that_waits_for_the_network_ends_at_its_deadline(self) -> None:
        with Bridge("tests", self.path) as bridge:
            bridge.call("open_device", device="slow")
            bridge.call("activate", api_key="public_live_sample")
            bridge.call(
                "set_conditions", device="slow",
                calls=[{"method": "get_flow", "latency_ms": 3_600_000}])
            begin = time.monotonic()
            with self.assertRaises(BridgeError) as caught:
                bridge.call("get_flow", 0.2, placement_id="onboarding")
            self.assertEqual(caught.exception.code, "DEADLINE_EXCEEDED")
            self.assertLess(time.monotonic() - begin, 0.2 + 0.1 + BUSY_S)
            self.assertEqual(bridge.call("ping", payload=b"still here").payload, b"still here")


if __name__ == "__main__":
    unittest.main()
