"""The fixtures `phone`, `bridge` and `broker` for pytest, once the package is installed.

    def test_a_name_is_told(phone):
        phone.show("onboarding")
        phone.type("name", "Jane")
        assert phone.inputs == {"name": "Jane"}

The broker serves the sample, or the folder that the option --catalog names, or for one test
@pytest.mark.catalog("folder"). It is flowbridged of PATH, or what --flowbridged or FLOWBRIDGED
names; brokers with the same catalog are shared by all tests, a phone is new for each.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .client import Bridge
from .testing import Broker, Phone


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("flowbridge")
    group.addoption("--flowbridged", metavar="FILE", help="the broker's program")
    group.addoption("--catalog", metavar="DIR", help="the catalog that brokers serve")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "catalog(folder): the catalog that the test's broker serves")


class Brokers:
    """One broker for each catalog, started when it is needed first."""

    def __init__(self, program: str | None) -> None:
        self._program = program
        self._started: dict[Path | None, Broker] = {}

    def serving(self, catalog: Path | None) -> Broker:
        if catalog not in self._started:
            self._started[catalog] = Broker(catalog, self._program)
        return self._started[catalog]

    def stop(self) -> None:
        for broker in self._started.values():
            broker.stop()


@pytest.fixture(scope="session")
def brokers(pytestconfig: pytest.Config) -> Iterator[Brokers]:
    """All brokers of the run."""
    started = Brokers(pytestconfig.getoption("--flowbridged"))
    yield started
    started.stop()


@pytest.fixture
def broker(request: pytest.FixtureRequest, brokers: Brokers) -> Broker:
    """The broker for this test."""
    marker = request.node.get_closest_marker("catalog")
    folder = marker.args[0] if marker else request.config.getoption("--catalog")
    return brokers.serving(Path(folder).resolve() if folder else None)


@pytest.fixture
def bridge(broker: Broker) -> Iterator[Bridge]:
    """A connection to the broker, for any call."""
    with broker.connect() as connection:
        yield connection


@pytest.fixture
def phone(broker: Broker) -> Iterator[Phone]:
    """A fresh phone with an activated app."""
    with Phone(broker) as fresh:
        yield fresh
