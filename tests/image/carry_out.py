"""Carry out a Dockerfile in an empty folder, without Docker: ``python carry_out.py Dockerfile``.

A fresh virtual environment stands for the base image. WORKDIR, COPY and RUN happen below the
folder, ENV is kept, and at the end everything is started as the image would, until its own
health check passes. What only an engine can do (the base image, USER, VOLUME) is said, not done.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SERVE = ["serve"]
"""The role that needs no store of its own beside it."""
DEADLINE = 60.0
"""Seconds until the health check must have passed."""


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Split a Dockerfile into instructions and what they are given."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, given = line.strip().partition(" ")
            yield name.upper(), given.strip()


def pairs(given: str) -> dict[str, str]:
    """Read the ``NAME=value`` pairs of an ENV or ARG."""
    found = (word.partition("=") for word in shlex.split(given))
    return {name: value for name, _, value in found}


@dataclass
class Container:
    """Hold what a container would: a root folder, a place in it, variables, what to start."""

    context: Path
    root: Path
    workdir: Path
    environment: dict[str, str]
    entrypoint: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def inside(self, path: str) -> Path:
        """Answer where a path of the image lies on this machine."""
        return self.root / path.lstrip("/") if path.startswith("/") else self.workdir / path

    def run(self, command: str) -> None:
        """Run a shell command, with the absolute paths of the image moved below the root."""
        moved = re.sub(r"(?<=\s)/(?=[a-z])", f"{self.root}/", command)
        subprocess.run(
            ["/bin/sh", "-ec", moved], cwd=self.workdir, env=self.environment, check=True
        )

    def copy(self, sources: list[str], target: str) -> None:
        """Copy files and folders of the context, as COPY does."""
        for source in sources:
            if source not in self.let_in():
                raise ValueError(f".dockerignore keeps {source} out of the image")
            origin, goal = self.context / source, self.inside(target)
            if origin.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(origin, goal, dirs_exist_ok=True, ignore=ignored)
            else:
                goal.mkdir(parents=True, exist_ok=True)
                shutil.copy(origin, goal)

    def let_in(self) -> set[str]:
        """Answer what .dockerignore, which begins with everything, takes out again."""
        ignored = (self.context / ".dockerignore").read_text(encoding="utf-8")
        return {line[1:] for line in ignored.splitlines() if line.startswith("!")}

    def step(self, name: str, given: str) -> None:
        """Carry out one instruction."""
        match name:
            case "WORKDIR":
                self.workdir = self.inside(given)
                self.workdir.mkdir(parents=True)
            case "COPY":
                *sources, target = shlex.split(given)
                self.copy(sources, target)
            case "RUN":
                self.run(given)
            case "ENV":
                values = pairs(given)
                for key, value in values.items():
                    self.environment[key] = f"{self.root}{value}" if value[0] == "/" else value
            case "ARG":
                self.environment.update(pairs(given))
                # Only root may give a folder away.
                self.environment["OWNER"] = f"{os.getuid()}:{os.getgid()}"
            case "ENTRYPOINT":
                self.entrypoint = json.loads(given)
            case "HEALTHCHECK":
                self.health = json.loads(given[given.index("CMD") + 3 :])
            case "FROM" | "USER" | "VOLUME" | "EXPOSE" | "CMD":
                print(f"    (left to an engine: {name} {given})")
            case _:
                raise ValueError(f"no way to carry out {name} {given}")


def started(context: Path, root: Path) -> Container:
    """Make the empty folder and the virtual environment that stand for the base image."""
    venv.create(root / "python", with_pip=True)
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "LANG"))}
    path = f"{root / 'python' / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    return Container(context, root, root, {**kept, "PATH": path, "HOME": str(root)})


def free_port() -> int:
    """Answer a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def becomes_healthy(container: Container) -> bool:
    """Start everything as the image would; say whether it got healthy and stopped cleanly."""
    environment = {**container.environment, "ABRAXAS_PORT": str(free_port())}
    programs = container.root / "python" / "bin"
    command = [str(programs / container.entrypoint[0]), *SERVE]
    check = [str(programs / container.health[0]), *container.health[1:]]
    deadline = time.monotonic() + DEADLINE
    healthy = False
    with subprocess.Popen(command, cwd=container.workdir, env=environment) as process:
        while not healthy and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)  # as an engine would: between two checks
            answer = subprocess.run(check, env=environment, capture_output=True, check=False)
            healthy = answer.returncode == 0
        process.send_signal(signal.SIGTERM)
    return healthy and process.returncode == 0


def main(dockerfile: Path) -> int:
    """Carry out a Dockerfile; answer 0 if its image would start and become healthy."""
    with tempfile.TemporaryDirectory(prefix="image") as root:
        container = started(dockerfile.resolve().parent, Path(root))
        for name, given in instructions(dockerfile.read_text(encoding="utf-8")):
            print(f"{name} {given}", flush=True)
            container.step(name, given)
        print(f"{container.entrypoint} {SERVE}", flush=True)
        if not becomes_healthy(container):
            print("it started and stopped otherwise than the image promises", file=sys.stderr)
            return 1
    print("every step done, the health check passed, the end was clean")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
