"""What a refused call raises: the faults of the bridge and the errors of the SDK, kept apart."""

from flowbridge.v1.error_pb2 import Error


class CallError(Exception):
    """A refused call. `field` is a dotted path or empty; `retryable` says whether the same call
    may succeed later; `error` is the message as it came."""

    def __init__(self, text: str, error: Error) -> None:
        super().__init__(text)
        self.field, self.retryable, self.error = error.field, error.retryable, error


class BridgeError(CallError):
    """A fault of the bridge; `code` is a name such as "WRONG_STATE" or "DEADLINE_EXCEEDED"."""

    def __init__(self, error: Error) -> None:
        known = error.bridge in Error.Bridge.values()
        self.code: str = Error.Bridge.Name(error.bridge) if known else "INTERNAL"
        super().__init__(f"{self.code}: {error.message}", error)


class SDKError(CallError):
    """What the SDK itself would have thrown; `code` is its number such as 2002, `name` its name."""

    def __init__(self, error: Error) -> None:
        self.code, self.name = error.sdk.code, error.sdk.name
        super().__init__(f"{self.code} {self.name}: {error.message or error.sdk.message}", error)


def raised(error: Error) -> CallError:
    """The exception for an error of the broker."""
    return SDKError(error) if error.HasField("sdk") else BridgeError(error)


def deadline_exceeded(method: str, timeout: float) -> BridgeError:
    """What a call raises that had no answer in time."""
    return BridgeError(Error(
        bridge=Error.DEADLINE_EXCEEDED, retryable=True,
        message=f"{method} had no answer within {timeout} s"))
