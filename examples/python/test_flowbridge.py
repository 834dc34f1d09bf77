"""Tests of the client against a broker that says what each test wants."""

import os
import socket
import struct
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from contextlib import suppress
from unittest import mock

import flowbridge
from flowbridge import Bridge, BridgeError, ClientFrame, Error, Event, SDKError, ServerFrame

BUSY_S = 0.2  # what a busy machine may add to a time


def packed(frame: ServerFrame) -> bytes:
    """A frame as it is on the wire."""
    payload = frame.SerializeToString()
    return struct.pack(">I", len(payload)) + payload


def answer_to(request: ClientFrame) -> ServerFrame:
    """What a friendly broker answers."""
    if request.WhichOneof("body") == "hello":
        return ServerFrame(id=request.id, welcome={"broker_version": "test", "protocol_major": 1})
    return ServerFrame(id=request.id, ping={"payload": request.ping.payload})


class ClientTests(unittest.TestCase):
    """Each test gives a function from a request to the bytes that the broker sends for it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "bridge.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.listener.close)
        self.listener.bind(self.path)
        self.listener.listen()
        self.requests: list[ClientFrame] = []

    def connect(self, reply: Callable[[ClientFrame], bytes]) -> Bridge:
        threading.Thread(target=self._serve, args=(reply,), daemon=True).start()
        bridge = Bridge("tests", self.path)
        self.addCleanup(bridge.close)
        return bridge

    def _serve(self, reply: Callable[[ClientFrame], bytes]) -> None:
        connection = self.connection = self.listener.accept()[0]
        # A client that has what it wants may leave in the middle.
        with suppress(OSError), connection, connection.makefile("rb") as stream:
            while header := stream.read(4):
                request = ClientFrame.FromString(stream.read(*struct.unpack(">I", header)))
                self.requests.append(request)
                greeting = request.WhichOneof("body") == "hello"
                connection.sendall(packed(answer_to(request)) if greeting else reply(request))

    def test_hello_comes_first_and_its_answer_is_kept(self) -> None:
        bridge = self.connect(lambda request: packed(answer_to(request)))
        self.assertEqual(bridge.welcome.broker_version, "test")
        self.assertEqual(self.requests[0].hello.client_name, "tests")

    def test_a_call_gives_the_typed_reply(self) -> None:
        bridge = self.connect(lambda request: packed(answer_to(request)))
        self.assertEqual(bridge.call("ping", payload=b"abc").payload, b"abc")

    def test_fields_may_be_nested(self) -> None:
        bridge = self.connect(lambda request: packed(answer_to(request)))
        bridge.call("perform", view_id="v", blur={})
        self.assertEqual(self.requests[-1].perform.WhichOneof("gesture"), "blur")

    def test_events_before_the_answer_are_kept_in_order(self) -> None:
        def reply(request: ClientFrame) -> bytes:
            events = [ServerFrame(event=Event(sequence=n)) for n in (1, 2)]
            return b"".join(map(packed, [*events, answer_to(request)]))

        bridge = self.connect(reply)
        bridge.call("ping")
        self.assertEqual([event.sequence for event in bridge.events(timeout=0)], [1, 2])

    def test_answers_are_matched_by_id(self) -> None:
        def reply(request: ClientFrame) -> bytes:
            stale = ServerFrame(id=request.id + 1000, ping={"payload": b"stale"})
            return packed(stale) + packed(answer_to(request))

        bridge = self.connect(reply)
        self.assertEqual(bridge.call("ping", payload=b"mine").payload, b"mine")

    def test_a_fault_of_the_bridge_is_a_bridge_error(self) -> None:
        error = Error(bridge=Error.WRONG_STATE, message="covered", field="view_id", retryable=True)
        bridge = self.connect(lambda request: packed(ServerFrame(id=request.id, error=error)))
        with self.assertRaises(BridgeError) as caught:
            bridge.call("ping")
        found = caught.exception
        self.assertEqual(
            (found.code, found.field, found.retryable), ("WRONG_STATE", "view_id", True))

    def test_an_unknown_code_counts_as_internal(self) -> None:
        error = ServerFrame.FromString(b"\x12\x02\x08\x63")  # error { bridge: 99 }
        self.assertEqual(BridgeError(error.error).code, "INTERNAL")

    def test_an_error_of_the_sdk_is_an_sdk_error(self) -> None:
        error = Error(sdk={"code": 2002, "name": "notActivated"}, message="activate first")
        bridge = self.connect(lambda request: packed(ServerFrame(id=request.id, error=error)))
        with self.assertRaises(SDKError) as caught:
            bridge.call("get_profile")
        self.assertEqual((caught.exception.code, caught.exception.name), (2002, "notActivated"))
        self.assertNotIsInstance(caught.exception, BridgeError)

    def test_a_silent_broker_holds_a_call_for_its_time_and_100_ms_at_most(self) -> None:
        bridge = self.connect(lambda request: b"")
        begin = time.monotonic()
        with self.assertRaises(BridgeError) as caught:
            bridge.call("ping", 0.2)
        self.assertEqual(caught.exception.code, "DEADLINE_EXCEEDED")
        self.assertLess(time.monotonic() - begin, 0.2 + 0.1 + BUSY_S)
        self.assertEqual(self.requests[1].deadline_ms, 200)

    def test_a_flood_of_events_does_not_hold_a_call_longer(self) -> None:
        flood = packed(ServerFrame(event=Event(sequence=1))) * 1000

        def reply(request: ClientFrame) -> bytes:
            until = time.monotonic() + 2
            while time.monotonic() < until:
                self.connection.sendall(flood)
            return b""

        bridge = self.connect(reply)
        begin = time.monotonic()
        with self.assertRaises(BridgeError):
            bridge.call("ping", 0.2)
        self.assertLess(time.monotonic() - begin, 0.2 + 0.1 + BUSY_S)
        bridge.close()

    def test_a_call_that_was_given_up_is_cancelled_and_its_late_answer_dropped(self) -> None:
        late: list[bytes] = []

        def reply(request: ClientFrame) -> bytes:
            if request.WhichOneof("body") == "cancel":
                return b""
            late.append(packed(answer_to(request)))
            return b"" if len(late) == 1 else late[0] + late[1]

        bridge = self.connect(reply)
        with self.assertRaises(BridgeError):
            bridge.call("ping", 0.01, payload=b"first")
        self.assertEqual(bridge.call("ping", payload=b"second").payload, b"second")
        self.assertEqual(self.requests[2].cancel.id, self.requests[1].id)

    def test_frames_may_arrive_in_any_pieces(self) -> None:
        left, right = socket.socketpair()
        self.addCleanup(left.close)
        bridge = self.connect(lambda request: packed(answer_to(request)))
        bridge.close()
        bridge._socket = right
        self.addCleanup(right.close)
        wire = packed(ServerFrame(event=Event(sequence=7))) + packed(
            ServerFrame(event=Event(sequence=8)))
        for byte in wire:
            left.sendall(bytes([byte]))
            found = [event.sequence for event in bridge.events(timeout=0)]
            self.assertIn(found, ([], [7], [8]))
        self.assertEqual(found, [8])

    def test_a_length_over_the_cap_is_refused_before_anything_is_read(self) -> None:
        bridge = self.connect(lambda request: struct.pack(">I", 0x7FFFFFFF))
        with self.assertRaises(ConnectionError):
            bridge.call("ping")

    def test_a_broker_that_leaves_ends_the_call(self) -> None:
        def reply(request: ClientFrame) -> bytes:
            raise SystemExit

        bridge = self.connect(reply)
        with self.assertRaises(ConnectionError):
            bridge.call("ping")

    def test_a_socket_of_another_user_is_refused(self) -> None:
        with mock.patch("flowbridge.paths.peer_uid", return_value=os.geteuid() + 1):
            with self.assertRaises(PermissionError):
                Bridge("tests", self.path)

    def test_a_path_that_is_too_long_is_refused_with_its_length(self) -> None:
        with self.assertRaisesRegex(ValueError, "108 bytes"):
            Bridge("tests", "/" + "x" * 107)


class PathTests(unittest.TestCase):
    """Where the socket is looked for."""

    def path_with(self, **environment: str) -> str:
        with mock.patch.dict(os.environ, environment, clear=True):
            return flowbridge.default_socket_path()

    def test_the_variable_wins(self) -> None:
        found = self.path_with(FLOWBRIDGE_SOCKET="@abstract", XDG_RUNTIME_DIR="/run/user/1")
        self.assertEqual(found, "@abstract")

    def test_then_the_runtime_folder(self) -> None:
        self.assertEqual(
            self.path_with(XDG_RUNTIME_DIR="/run/user/1"), "/run/user/1/flowbridge/bridge.sock")

    def test_else_a_private_folder_which_others_cannot_enter(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            folder = os.path.join(temporary, f"flowbridge-{os.geteuid()}")
            os.mkdir(folder, 0o700)
            self.assertEqual(self.path_with(TMPDIR=temporary), f"{folder}/bridge.sock")
            os.chmod(folder, 0o755)
            with self.assertRaises(PermissionError):
                self.path_with(TMPDIR=temporary)


if __name__ == "__main__":
    unittest.main()
