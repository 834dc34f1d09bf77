"""A client of the Flowbridge broker, for programs and for tests.

    with Bridge("my test") as bridge:
        bridge.call("subscribe")
        flow = bridge.call("get_flow", placement_id="onboarding").flow
        for event in bridge.events(timeout=0):
            print(event.WhichOneof("kind"))

`Bridge` waits for its answers, `AsyncBridge` lets asyncio wait; `flowbridge.testing` starts a
broker for tests.

The message classes are generated from proto/ by protoc. Installed, they are part of this package;
in the repository they are in .build/python, or in the folder that FLOWBRIDGE_PYTHON names.
"""

import os
from pathlib import Path

_HERE = Path(__file__).resolve().parent
if not (_HERE / "v1").is_dir():  # not installed
    _BUILT = os.environ.get("FLOWBRIDGE_PYTHON", _HERE.parents[2] / ".build" / "python")
    # The generated modules are called flowbridge.v1.…; this lets Python find them from here.
    __path__.append(str(Path(_BUILT) / "flowbridge"))

from flowbridge.v1.error_pb2 import Error
from flowbridge.v1.event_pb2 import Event
from flowbridge.v1.frame_pb2 import ClientFrame, ServerFrame

from .asynchronous import AsyncBridge
from .client import Bridge
from .errors import BridgeError, CallError, SDKError
from .framing import PROTOCOL_MAJOR, PROTOCOL_MINOR
from .paths import default_socket_path

__all__ = [
    "PROTOCOL_MAJOR", "PROTOCOL_MINOR", "AsyncBridge", "Bridge", "BridgeError", "CallError",
    "ClientFrame", "Error", "Event", "SDKError", "ServerFrame", "default_socket_path",
]
