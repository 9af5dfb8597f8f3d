#!/usr/bin/env python3
"""Everything a newcomer needs, from a fresh clone with nothing but Python 3.11 or newer:

    python3 run.py play            play in the browser (--port N, --no-browser, --data FOLDER)
    python3 run.py test            run the tests (--thorough: all of them; other arguments go to pytest)
    python3 run.py check           run the linters and the type checker
    python3 run.py bench           run the benchmarks
    python3 run.py cli ARGUMENTS   run the sandtable command, for example: cli version
    python3 run.py compile         compile the rules, so that games go quicker (play does so by and by)

The environment in .venv is made on first use and updated when the project's files change.
"""

# Standard library only, and syntax that Python 3.6 can still read: an old Python must reach the sentence in
# check_python() instead of stopping at a syntax error.

import contextlib
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

PLAY = ["serve"]
# The floors whose every line and branch a test must reach.
COVERED_FLOORS = ("geometry", "kernel", "content", "mechanics", "play", "rulesets", "ai")
# Tests that can miss a moment, and a way to run tests that does not tell what those that fail compared.
BROWSER, PLAIN = "tests/browser", "--assert=plain"
# The tests that reach them; the others are never measured, which is twice as fast.
FLOOR_TESTS = ["tests/" + name for name in (*COVERED_FLOORS, "kit", "conformance", "perft")]

# Those that are run once more with the rules compiled.
COMPILED_FLOORS = ("geometry", "content", "kernel", "mechanics", "play", "rulesets", "conformance", "perft", "golden")
AS_COMPILED = "of the rules as they are compiled"

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
# Where Python keeps what it has compiled, in the tests of whoever asked it to keep nothing too: each of the many
# processes of a test run would compile every package anew. Nothing of it lies outside .venv.
BYTECODE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(VENV / "bytecode")}
GEOMETRY = ROOT / "src" / "sandtable" / "geometry"
KERNELS = ("reach", "sight", "slope_sight", "point_sight")
RUNTIME_LOCK = ROOT / "requirements.lock"
COMPILE_LOCK = ROOT / "requirements-compile.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"
BENCH_LOCK = ROOT / "requirements-bench.lock"
POSTGRESQL_LOCK = ROOT / "requirements-postgresql.lock"

NETWORK_SIGNS = (
    "connection broken",
    "connection refused",
    "connectionerror",
    "failed to establish",
    "max retries",
    "name resolution",
    "network is unreachable",
    "proxyerror",
    "readtimeout",
    "sslerror",
    "timed out",
)


class Trouble(Exception):
    """Something is missing on this machine; the message says what in plain words."""


def say(sentence: str) -> None:
    print("run.py: " + sentence, file=sys.stderr, flush=True)


# --- what this machine has ---------------------------------------------------------------------------------------


def check_python(version: Sequence[Any]) -> None:
    """Refuses a Python that is too old to run the game."""
    if tuple(version[:2]) < OLDEST_PYTHON:
        found, wanted = (".".join(str(part) for part in numbers[:2]) for numbers in (version, OLDEST_PYTHON))
        raise Trouble(
            f"Sandtable needs Python {wanted} or newer; this is Python {found}. "
            f"Install a newer one and start it by name, for example: python{wanted} run.py play"
        )


def check_venv() -> None:
    """Refuses a Python whose venv or ensurepip module is missing."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as missing:
        raise Trouble(
            f"this Python cannot make environments (its {missing.name} module is missing). "
            "On Debian or Ubuntu install the package python3-venv (sudo apt install python3-venv), "
            "on other systems a complete Python."
        ) from missing


def has_compiler() -> bool:
    """Whether a C compiler is in reach; Visual Studio hides outside PATH, so Windows gets the benefit of the doubt."""
    return WINDOWS or any(shutil.which(name) for name in (os.environ.get("CC") or "cc", "gcc", "clang"))


def has_postgresql() -> bool:
    """Whether the tests find a PostgreSQL server to start; on Windows they look for none."""
    return not WINDOWS and bool(shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")))


def wants_postgresql(arguments: Sequence[str] = ()) -> bool:
    """Whether battles are to be kept in a PostgreSQL database."""
    named = [arguments[place + 1] for place, word in enumerate(arguments[:-1]) if word == "--store"]
    named += [word[len("--store=") :] for word in arguments if word.startswith("--store=")]
    return any(name.startswith("postgresql") for name in (os.environ.get("SANDTABLE_DATABASE", ""), *named))


def postgresql_lock(arguments: Sequence[str]) -> List[Path]:
    """What a command needs besides, if it names a PostgreSQL database."""
    return [POSTGRESQL_LOCK] if wants_postgresql(arguments) else []


# --- the environment -----------------------------------------------------------------------------------------------


def digest(paths: Iterable[Path], *facts: object) -> str:
    """A fingerprint of the files and facts that something was built from."""
    total = hashlib.sha256(repr(facts).encode())
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def stamp(name: str) -> Path:
    return VENV / f"sandtable-{name}.stamp"


def is_current(name: str, fingerprint: str) -> bool:
    path = stamp(name)
    return path.is_file() and path.read_text(encoding="ascii") == fingerprint


def spoil(name: str) -> None:
    """Forgets that something was built: work on it begins, and if it fails it must begin again next time."""
    if stamp(name).is_file():
        stamp(name).unlink()


def make_environment() -> None:
    """Makes .venv when it is absent or its Python is gone."""
    if PYTHON.exists():
        return
    check_venv()
    say("making the environment in .venv (first time only)")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    if made.returncode != 0:
        # Never leave half an environment: the next run would take it for a whole one.
        shutil.rmtree(str(VENV), ignore_errors=True)
        raise Trouble(
            "the environment could not be made. On Debian or Ubuntu the package python3-venv may be missing "
            "(sudo apt install python3-venv). Python said:\n" + made.stdout.strip()
        )


def pip_trouble(what: str, output: str) -> str:
    """The plain sentence for an installation that failed."""
    lowered = output.lower()
    if any(sign in lowered for sign in NETWORK_SIGNS):
        return (
            f"{what} could not be fetched: the package index cannot be reached. The first run needs a network "
            "connection; behind a proxy set HTTPS_PROXY. Later runs work without a network."
        )
    if "no matching distribution" in lowered:
        missing = [line.strip() for line in output.splitlines() if "no matching distribution" in line.lower()]
        return (
            f"{what} could not be installed: the package index has no fitting file for Python "
            f"{platform.python_version()} on {platform.system()} {platform.machine()}. pip said:\n{missing[-1]}"
        )
    if "do not match the hashes" in lowered:
        return (
            f"{what} were not installed: a file of the package index is not the one that was locked. Nothing of it was "
            "run. It was damaged on the way, or put there by someone else. pip said:\n" + last_lines(output)
        )
    if "no space left" in lowered:
        return f"{what} could not be installed: the disk is full."
    return f"{what} could not be installed. pip said:\n" + last_lines(output)


def last_lines(output: str) -> str:
    return "\n".join(output.strip().splitlines()[-15:])


def pip_install(what: str, *arguments: str) -> None:
    """Installs into .venv, quietly; a failure is told in plain words."""
    done = subprocess.run(
        [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--retries", "2", "--quiet", *arguments],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    if done.returncode != 0:
        raise Trouble(pip_trouble(what, done.stdout))


def install_locked(what: str, requirements: Path) -> None:
    """Installs what a file of requirements names, from files that have one of its hashes and from no others."""
    # A lock names everything, so nothing is looked for beyond it; bytecode is made of what is used, when it is used.
    pip_install(what, "--require-hashes", "--no-deps", "--no-compile", "-r", str(requirements))


def install_lock(lock: Path) -> None:
    """Brings the packages of a lock file into .venv unless they are there."""
    fingerprint = digest([lock])
    if is_current(lock.name, fingerprint):
        return
    say(f"installing the packages of {lock.name} (a minute or less on first use)")
    spoil(lock.name)
    install_locked(f"the packages of {lock.name}", lock)
    stamp(lock.name).write_text(fingerprint, encoding="ascii")


def locked_packages(lock: Path) -> Dict[str, str]:
    """The packages of a lock file in its order, each with the lines that lock it."""
    packages: Dict[str, str] = {}
    name = ""
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name = line.split("==")[0]
            packages[name] = ""
        packages[name] += line + "\n"
    return packages


def compiled_kernels() -> List[Path]:
    return [path for name in KERNELS for ending in (".so", ".pyd") for path in GEOMETRY.glob(name + ".*" + ending)]


def source_digest(kernel: str) -> str:
    """A fingerprint of what a kernel is compiled from."""
    return digest(path for path in (GEOMETRY / (kernel + ending) for ending in (".py", ".pxd")) if path.is_file())


def source_note(kernel: str) -> Path:
    """Where it is written down, beside a compiled kernel, what it was compiled from."""
    return GEOMETRY / (kernel + ".sha256")


def note_source(kernel: str) -> None:
    """It is written down that the kernel was compiled from its source as it is now."""
    source_note(kernel).write_text(source_digest(kernel), encoding="ascii")


def stale_kernels() -> List[Path]:
    """The compiled kernels that were not compiled from their source as it is now, whatever the time of either."""
    return [path for path in compiled_kernels() if not is_noted(path.name.split(".")[0])]


def is_noted(kernel: str) -> bool:
    """Whether a kernel was compiled from its source as it is now."""
    note = source_note(kernel)
    return note.is_file() and note.read_text(encoding="ascii") == source_digest(kernel)


def remove_compiled_kernels() -> None:
    """No compiled kernel is left: one of another source would be loaded in its place without a word."""
    for path in compiled_kernels():
        try:
            path.unlink()
        except PermissionError as locked:
            raise Trouble(f"{path.name} is in use. Close every running game of this folder and try again.") from locked


def install_project() -> None:
    """Links the project into .venv and compiles its kernels, unless nothing has changed since the last time."""
    sources = [ROOT / "pyproject.toml", ROOT / "setup.py", RUNTIME_LOCK]
    sources += [path for pattern in ("*.py", "*.pxd") for path in GEOMETRY.glob(pattern)]
    skipped = os.environ.get("SANDTABLE_NO_COMPILE") == "1"
    fingerprint = digest(sources, skipped, has_compiler())
    if is_current("project", fingerprint) and not stale_kernels():
        return
    say("setting up the project and compiling its kernels" if not skipped else "setting up the project")
    spoil("project")
    remove_compiled_kernels()
    # The locked setuptools and Cython of .venv do the work: build isolation would fetch others from the network.
    pip_install("the project", "--no-deps", "--no-build-isolation", "-e", str(ROOT))
    present = [name for name in KERNELS if (GEOMETRY / (name + ".py")).is_file()]
    if not skipped and len(compiled_kernels()) < len(present):
        say(
            "note: the map kernels could not be compiled and run interpreted: same results, slower. For full speed "
            "install a C compiler and Python's headers (Debian: gcc python3-dev; macOS: xcode-select --install; "
            "Windows: Visual Studio Build Tools)."
        )
    stamp("project").write_text(fingerprint, encoding="ascii")


def prepare(*locks: Path) -> None:
    """The environment holds the packages of these lock files and the project as it is now."""
    check_python(sys.version_info)
    make_environment()
    wanted = [RUNTIME_LOCK, *locks, *postgresql_lock([])]
    for place, lock in enumerate(wanted):
        if lock not in wanted[:place]:
            install_lock(lock)
    install_project()


# --- commands --------------------------------------------------------------------------------------------------------


def run(arguments: Sequence[str], cwd: Optional[Path] = None, **environment: str) -> int:
    """The exit code of .venv's Python given these arguments."""
    known = dict(os.environ, PYTHONUTF8="1", **BYTECODE, **environment)
    child = subprocess.Popen([str(PYTHON), *arguments], cwd=str(cwd) if cwd else None, env=known)
    # Who ends us means the child, which would go on by itself.
    is_first = threading.current_thread() is threading.main_thread()  # only there signals can be heard
    before = signal.signal(signal.SIGTERM, lambda *_: child.terminate()) if is_first else None
    try:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                # The child has heard Ctrl-C too and ends in its own way.
                continue
    finally:
        if is_first:
            signal.signal(signal.SIGTERM, before)


def cli(arguments: List[str]) -> int:
    prepare(*postgresql_lock(arguments))
    return run(["-m", "sandtable.cli", *arguments])


def build_client() -> bool:
    """Whether there is a browser client to use; it is built when its sources have changed."""
    return run([str(ROOT / "tools" / "webbuild.py")], cwd=ROOT) == 0


def prepare_with_client(*locks: Path) -> bool:
    """The same, and whether there is a browser client; both wait for the network, so they wait at once."""
    check_python(sys.version_info)
    make_environment()
    with ThreadPoolExecutor() as pool:
        client = pool.submit(build_client)
        prepare(*locks)
    return client.result()


def play(arguments: List[str]) -> int:
    if not prepare_with_client():
        raise Trouble("there is no browser client, for the reason given above; run.py cli console needs none")
    with compiling_meanwhile():
        return cli([*PLAY, *arguments])


# --- the compiled rules ----------------------------------------------------------------------------------------------


def may_compile() -> bool:
    """Whether the rules can be compiled here, and nobody has asked that they be not."""
    return os.environ.get("SANDTABLE_NO_COMPILE") != "1" and has_compiler()


def compile_rules(*options: str) -> int:
    """The exit code of compiling the rules, which says itself what it does."""
    return run(["-m", "sandtable.cli", "compile", *options])


def compile(arguments: List[str]) -> int:
    if not may_compile():
        raise Trouble("the rules are not compiled: SANDTABLE_NO_COMPILE=1 is set, or there is no C compiler")
    prepare(COMPILE_LOCK)
    return compile_rules(*arguments)


@contextlib.contextmanager
def compiling_meanwhile() -> Iterator[None]:
    """The rules are compiled beside what is done here, behind everything else and without a word: it takes a minute or
    two, and whatever is started afterwards goes quicker. It ends with what is done here.
    """
    if not may_compile():
        yield
        return
    calm = ["nice", "-n", "19"] if shutil.which("nice") else []
    behind = {"creationflags": 0x4000} if WINDOWS else {"start_new_session": True}  # BELOW_NORMAL_PRIORITY_CLASS
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [*calm, sys.executable, str(ROOT / "run.py"), "compile", "--unless-failed"]
    child = subprocess.Popen(command, **quiet, **behind)  # type: ignore[call-overload]
    try:
        yield
    finally:
        if child.poll() is None:
            if WINDOWS:
                child.terminate()
            else:
                os.killpg(child.pid, signal.SIGTERM)
        child.wait()


def suite(thorough: bool) -> List[Tuple[str, List[str]]]:
    """The runs that make up the suite, each with what it is of and what pytest is told.

    More workers than cores, since many tests wait for a disk, a process or a line. The browser's are a run of their
    own: Playwright keeps an event loop that other tests can't share.
    """
    browser = ("in the browser", ["-n", "3", "--dist", "loadfile", BROWSER])
    if not thorough:
        # What a failed test compared is told by a second run of it: to be able to tell, every process would have to
        # rewrite every test first, which takes longer than most of them.
        everything = ["-n", "3", "--dist", "loadgroup", PLAIN, "--ignore=" + BROWSER]
        return [("of everything but the browser", everything), browser]
    others = ["--ignore=" + folder for folder in (*FLOOR_TESTS, BROWSER)]
    measured = ["-n", "2", "-m", "not unmeasured", "--cov", "--cov-report=", *FLOOR_TESTS]
    return [
        ("of the rules and all below them, measured", measured),
        ("of the same that take long", ["-n", "2", "-m", "unmeasured", *FLOOR_TESTS]),
        (AS_COMPILED, ["-n", "2", "-m", "not unmeasured", *("tests/" + name for name in COMPILED_FLOORS)]),
        ("of the other floors", ["-n", "3", "--dist", "loadgroup", *others]),
        browser,
    ]


def run_tests(told: List[str], **environment: str) -> int:
    """The exit code of a run of the suite."""
    failed = run(["-m", "pytest", *told], cwd=ROOT, **environment)
    if not failed or not {PLAIN, BROWSER}.intersection(told):
        return failed
    say("running those that failed once more")
    failures = ["--last-failed", "--last-failed-no-failures", "none", *([BROWSER] if BROWSER in told else [])]
    again = run(["-m", "pytest", *failures], cwd=ROOT, **environment)
    # A browser on a busy machine can miss a moment; what is broken fails twice.
    return again if BROWSER in told else failed


def test(arguments: List[str]) -> int:
    if not prepare_with_client(COMPILE_LOCK, DEV_LOCK, *([POSTGRESQL_LOCK] if has_postgresql() else [])):
        say("note: there is no browser client, so the tests that need one are left out")
    thorough = arguments == ["--thorough"] or os.environ.get("SANDTABLE_THOROUGH") == "1"
    if arguments and arguments != ["--thorough"]:
        # what is named is run, however long it takes
        return run(["-m", "pytest", *arguments], cwd=ROOT, SANDTABLE_THOROUGH="1")
    # A browser is fetched meanwhile; where there is none to be had, the tests say so.
    browser = subprocess.Popen([str(PYTHON), str(ROOT / "tools" / "browser.py")], stdout=subprocess.DEVNULL)
    for what, told in suite(thorough):
        if what == AS_COMPILED:
            if not may_compile():
                say("left out: the tests " + what)
                continue
            if compile_rules():
                return 1
        say("running the tests " + what)
        if BROWSER in told:
            browser.wait()
        interpreted = "0" if what == AS_COMPILED else "1"
        failed = run_tests(told, SANDTABLE_THOROUGH=str(int(thorough)), SANDTABLE_INTERPRETED=interpreted)
        if failed:
            browser.wait()
            return failed
    if not thorough:
        say("all passed; those that take long and the measuring of lines and branches: run.py test --thorough")
        return 0
    say("every line and branch of " + ", ".join(COVERED_FLOORS) + " must have been run:")
    floors = ",".join(f"src/sandtable/{floor}/*" for floor in COVERED_FLOORS)
    return run(["-m", "coverage", "report", "--fail-under=100", "--include=" + floors], cwd=ROOT)


def check(arguments: List[str]) -> int:
    prepare(COMPILE_LOCK, DEV_LOCK)
    checks = (
        ("style", ["-m", "ruff", "check", "."]),
        ("types", ["-m", "mypy"]),
        ("types of the client", ["tools/webbuild.py", "--check"]),
        ("packages", ["tools/audit.py"]),
        ("floors", ["-c", "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"]),
    )
    failed = []
    for name, command in checks:
        say("checking " + name)
        if run(command, cwd=ROOT) != 0:
            failed.append(name)
    if failed:
        say("not clean: " + ", ".join(failed))
    return 1 if failed else 0


def bench(arguments: List[str]) -> int:
    prepare(COMPILE_LOCK, DEV_LOCK)
    if may_compile():
        compile_rules()
    for name, lines in locked_packages(BENCH_LOCK).items():
        if is_current("bench-" + name, lines):
            continue
        say(f"installing {name} for the benchmarks")
        # pip takes hashes from a file only
        alone = VENV / "sandtable-bench.txt"
        alone.write_text(lines, encoding="ascii")
        try:
            install_locked(name, alone)
        except Trouble as trouble:
            say(f"left out: {trouble}")
        else:
            stamp("bench-" + name).write_text(lines, encoding="ascii")
    return run(["-m", "bench", *arguments], cwd=ROOT)


COMMANDS = {"play": play, "test": test, "check": check, "bench": bench, "cli": cli, "compile": compile}


def main(arguments: List[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    command = COMMANDS.get(arguments[0])
    if command is None:
        say(f"there is no command {arguments[0]!r}; the commands are " + ", ".join(COMMANDS))
        return 2
    try:
        return command(arguments[1:])
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
