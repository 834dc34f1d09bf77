"""Generates the message classes with protoc while the package is built; the rest is in
pyproject.toml."""

import os
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# Of the repository; another folder for those who have the package's source alone.
PROTO = Path(os.environ.get("FLOWBRIDGE_PROTO", Path(__file__).resolve().parents[2] / "proto"))


class Generate(build_py):
    def run(self) -> None:
        super().run()
        files = sorted(PROTO.glob("flowbridge/v1/*.proto"))
        if not files:
            raise SystemExit(f"no .proto files in {PROTO}: FLOWBRIDGE_PROTO names their folder")
        subprocess.run(
            ["protoc", "-I", PROTO, f"--python_out={self.build_lib}",
             f"--pyi_out={self.build_lib}", *files], check=True)


setup(cmdclass={"build_py": Generate})
