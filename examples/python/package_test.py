"""Tests of what the package gives to tests, with its own fixtures; run by scripts/check-python."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from flowbridge import AsyncBridge, Bridge, BridgeError, SDKError
from flowbridge.testing import Broker, Phone

QUIZ = Path(__file__).resolve().parent.parent / "catalog-quiz"


def test_a_phone_tells_every_callback_in_order(phone: Phone) -> None:
    phone.show("onboarding")
    phone.type("name", "Jane")
    assert phone.story() == [
        "did_load_latest_profile", "view_presented", "flow_did_appear", "flow_screen_showed",
        "flow_user_input"]
    assert phone.inputs == {"name": "Jane"}


def test_each_test_has_a_phone_of_its_own(phone: Phone, broker: Broker) -> None:
    with Phone(broker) as other:
        other.show("onboarding")
        phone.hear()
        assert phone.story() == ["did_load_latest_profile"]
        assert phone.device != other.device


def test_a_missing_callback_is_told_with_those_that_came(phone: Phone) -> None:
    with pytest.raises(AssertionError, match="no flow_did_disappear; there were: did_load"):
        phone.expect("flow_did_disappear")


def test_the_clock_stands_until_it_is_advanced(phone: Phone) -> None:
    phone.advance(1.5)
    phone.show("onboarding")
    assert {event.time_ms for event in phone.callbacks[1:]} == {1_767_225_601_500}


def test_the_profile_is_what_the_app_was_told(phone: Phone) -> None:
    phone.call("update_profile", custom_attributes=[{"key": "score", "double": 2.5}])
    assert phone.profile.custom_attributes["score"].double == 2.5


@pytest.mark.catalog(QUIZ)
def test_a_marker_gives_a_broker_with_another_catalog(phone: Phone) -> None:
    phone.show_onboarding("welcome")
    phone.expect("view_presented")


def test_the_bridge_is_for_any_call(bridge: Bridge) -> None:
    assert bridge.call("ping", payload=b"abc").payload == b"abc"


def test_a_broker_that_cannot_start_says_why() -> None:
    with pytest.raises(RuntimeError, match="no-such-folder"):
        Broker("/no-such-folder")


def test_a_broker_ends_with_the_program_that_started_it() -> None:
    program = "from flowbridge.testing import Broker; b = Broker(); print(b.socket); import os; " \
        "os._exit(0)"
    path = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
    with pytest.raises(OSError):
        while True:  # until it has noticed; pytest's own patience is the limit
            Bridge("tests", path).close()


def test_asyncio_calls_overtake_one_that_waits(broker: Broker) -> None:
    async def run() -> None:
        async with await AsyncBridge.connect("tests", broker.socket) as bridge:
            await bridge.call("open_device", device="async", clock={"kind": "MANUAL"})
            await bridge.call("subscribe", device="async")
            with pytest.raises(SDKError) as caught:
                await bridge.call("get_profile")
            assert caught.value.code == 2002
            await bridge.call("activate", api_key="public_live_tests")
            await bridge.call(
                "set_conditions", calls=[{"method": "get_flow", "latency_ms": 60_000}])
            waiting = asyncio.create_task(bridge.call("get_flow", placement_id="onboarding"))
            assert (await bridge.call("ping", payload=b"first")).payload == b"first"
            await bridge.call("advance_clock", by_ms=60_000)
            assert (await waiting).flow.name == "Registration"
            kinds = [event.WhichOneof("kind") async for event in bridge.events(timeout=0)]
            assert kinds == ["did_load_latest_profile"]

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["binary", "line"])
def test_asyncio_gives_up_in_time_and_goes_on(broker: Broker, mode: str) -> None:
    async def run() -> None:
        async with await AsyncBridge.connect("tests", broker.socket, mode=mode) as bridge:
            device = f"slow {mode}"
            await bridge.call("open_device", device=device, clock={"kind": "MANUAL"})
            await bridge.call("activate", api_key="public_live_tests")
            await bridge.call(
                "set_conditions", calls=[{"method": "get_flow", "latency_ms": 60_000}])
            with pytest.raises(BridgeError, match="DEADLINE_EXCEEDED"):
                await bridge.call("get_flow", 0.05, placement_id="onboarding")
            assert (await bridge.call("ping", payload=b"on")).payload == b"on"

    asyncio.run(run())


def test_asyncio_calls_end_when_the_broker_does() -> None:
    async def run() -> None:
        broker = Broker()
        bridge = await AsyncBridge.connect("tests", broker.socket)
        broker.stop()
        with pytest.raises(ConnectionError):
            async for _ in bridge.events():
                pass
        with pytest.raises(ConnectionError):
            await bridge.call("ping")
        await bridge.close()

    asyncio.run(run())
