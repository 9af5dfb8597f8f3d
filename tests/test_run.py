"""run.py says in plain words what a machine lacks, and rebuilds what is out of date."""

import ast
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

import run

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """run.py looks at an empty checkout, so that no test touches the environment of this one."""
    geometry = tmp_path / "src" / "sandtable" / "geometry"
    geometry.mkdir(parents=True)
    (tmp_path / ".venv").mkdir()
    for name in ("pyproject.toml", "setup.py", "requirements.lock"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    (geometry / "reach.py").write_text("one", encoding="utf-8")
    for name, path in {
        "ROOT": tmp_path,
        "VENV": tmp_path / ".venv",
        "PYTHON": tmp_path / ".venv" / "python",
        "GEOMETRY": geometry,
        "RUNTIME_LOCK": tmp_path / "requirements.lock",
    }.items():
        monkeypatch.setattr(run, name, path)
    return tmp_path


class Pip:
    """Stands in for pip: records what it was asked, compiles what a compiler would."""

    def __init__(self, compiles: list[Path]) -> None:
        self.asked: list[str] = []
        self.compiles = compiles

    def __call__(self, what: str, *arguments: str) -> None:
        self.asked.append(what)
        for path in self.compiles:
            path.write_bytes(b"compiled")


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (2, 7, 18)])
def test_an_old_python_is_told_which_one_is_needed(version: tuple[int, int, int]) -> None:
    with pytest.raises(run.Trouble, match=rf"needs Python 3\.11 or newer; this is Python {version[0]}\.{version[1]}"):
        run.check_python(version)


def test_a_new_python_is_accepted() -> None:
    run.check_python((3, 11, 0))
    run.check_python((4, 0, 0))


def test_python_3_6_can_read_run_py() -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_ends_with_one_sentence_and_no_traceback() -> None:
    faked = "import sys; sys.version_info = (3, 8, 1, 'final', 0); import run; sys.exit(run.main(['play']))"
    done = subprocess.run([sys.executable, "-c", faked], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("run.py: Sandtable needs Python 3.11 or newer; this is Python 3.8.")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_names_the_package_to_install(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(run.Trouble, match=rf"its {module} module is missing.*sudo apt install python3-venv"):
        run.check_venv()


def test_half_an_environment_is_not_left_behind(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "check_venv", lambda: None)
    monkeypatch.setattr(sys, "executable", str(broken_python(checkout)))
    with pytest.raises(run.Trouble, match="python3-venv may be missing"):
        run.make_environment()
    assert not (checkout / ".venv").exists()


def broken_python(folder: Path) -> Path:
    """A program that fails whatever it is asked, on every system."""
    if os.name == "nt":
        path = folder / "broken.bat"
        path.write_text("@exit /b 1\n", encoding="ascii")
    else:
        path = folder / "broken"
        path.write_text("#!/bin/sh\necho ensurepip is not available\nexit 1\n", encoding="ascii")
        path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "the package index cannot be reached"),
        ("Temporary failure in name resolution\nERROR: No matching distribution found", "cannot be reached"),
        ("ERROR: No matching distribution found for msgspec==99", "no fitting file for Python"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not the one that was locked"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: something new", "pip said:\nERROR: something new"),
    ],
)
def test_a_failed_installation_is_told_in_plain_words(output: str, sentence: str) -> None:
    assert sentence in run.pip_trouble("the packages", output)


def test_without_a_network_one_sentence_says_so() -> None:
    # The port 9 of this machine stands in for an index that cannot be reached.
    faked = (
        "import sys, run; from pathlib import Path; run.PYTHON = Path(sys.executable);"
        "run.install_lock = lambda lock: run.pip_install('the packages', '--isolated', '--no-cache-dir',"
        "'--index-url', 'http://127.0.0.1:9/simple', 'sandtable-no-such-package'); sys.exit(run.main(['cli']))"
    )
    done = subprocess.run([sys.executable, "-c", faked], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "the package index cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["fight"]) == 2
    assert "there is no command 'fight'; the commands are play, test, check, bench, cli" in capsys.readouterr().err


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 0
    assert "python3 run.py play" in capsys.readouterr().out


def test_nothing_is_installed_twice(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = Pip([])
    monkeypatch.setattr(run, "pip_install", pip)
    for _ in range(2):
        run.install_lock(run.RUNTIME_LOCK)
        run.install_project()
    assert pip.asked == ["the packages of requirements.lock", "the project"]


def test_a_changed_kernel_is_compiled_anew_and_the_old_one_is_gone(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = run.GEOMETRY / "reach.cpython-311.so"
    pip = Pip([kernel])
    monkeypatch.setattr(run, "pip_install", pip)
    run.install_project()
    assert kernel.read_bytes() == b"compiled"
    (run.GEOMETRY / "reach.py").write_text("two", encoding="utf-8")
    pip.compiles = []
    run.install_project()
    assert pip.asked == ["the project"] * 2
    assert not kernel.exists()


def test_a_compiled_kernel_is_judged_by_what_it_was_compiled_from_and_not_by_its_time(checkout: Path) -> None:
    source, compiled = run.GEOMETRY / "reach.py", run.GEOMETRY / "reach.cpython-311.so"
    compiled.write_bytes(b"compiled")
    assert run.stale_kernels() == [compiled], "nobody knows what it was compiled from"
    run.note_source("reach")
    assert run.stale_kernels() == []
    os.utime(compiled, (1, 1))
    assert run.stale_kernels() == [], "checked out anew, the same source is as good as before"
    source.write_text("two", encoding="utf-8")
    os.utime(source, (0, 0))
    assert run.stale_kernels() == [compiled]
    source.write_text("one", encoding="utf-8")
    (run.GEOMETRY / "reach.pxd").write_text("types", encoding="utf-8")
    assert run.stale_kernels() == [compiled]


def test_a_kernel_of_another_source_is_compiled_anew(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = run.GEOMETRY / "reach.cpython-311.so"
    pip = Pip([])
    monkeypatch.setattr(run, "pip_install", pip)
    run.install_project()
    compiled.write_bytes(b"from elsewhere")
    run.install_project()
    assert pip.asked == ["the project"] * 2
    assert not compiled.exists()


def test_a_machine_without_a_compiler_gets_a_note_and_no_error(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "pip_install", Pip([]))
    monkeypatch.delenv("SANDTABLE_NO_COMPILE", raising=False)
    run.install_project()
    assert "note: the map kernels could not be compiled and run interpreted" in capsys.readouterr().err


def test_a_broken_installation_is_tried_again_next_time(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(what: str, *arguments: str) -> None:
        raise run.Trouble(what)

    kernel = run.GEOMETRY / "reach.py"
    pip = Pip([])
    monkeypatch.setattr(run, "pip_install", pip)
    run.install_project()
    kernel.write_text("broken", encoding="utf-8")
    monkeypatch.setattr(run, "pip_install", fail)
    with pytest.raises(run.Trouble):
        run.install_project()
    # Taken back to what was built once: the failed attempt has removed that build, so it is not there any more.
    kernel.write_text("one", encoding="utf-8")
    monkeypatch.setattr(run, "pip_install", pip)
    run.install_project()
    assert pip.asked == ["the project"] * 2


def test_play_passes_its_arguments_on(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(run, "may_compile", lambda: False)
    monkeypatch.setattr(run, "prepare", lambda *locks: None)

    def start(arguments: list[str], **_: object) -> int:
        started.append(arguments)
        return 0

    monkeypatch.setattr(run, "run", start)
    assert run.main(["play", "--seed", "7"]) == 0
    assert started == [[str(ROOT / "tools/webbuild.py")], ["-m", "sandtable.cli", *run.PLAY, "--seed", "7"]]


class Child:
    """A process that goes on until it is ended."""

    pid = 4711

    def __init__(self, command: list[str], **how: object) -> None:
        self.command, self.how, self.ended = command, how, False

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def terminate(self) -> None:
        self.ended = True

    def wait(self) -> int:
        assert self.ended
        return 0


def test_the_rules_are_compiled_while_somebody_plays_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[Child] = []

    def start(command: list[str], **how: object) -> Child:
        children.append(Child(command, **how))
        return children[-1]

    monkeypatch.setattr(run, "may_compile", lambda: True)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(os, "killpg", lambda group, number: children[-1].terminate(), raising=False)
    with run.compiling_meanwhile():
        assert children[0].command[-2:] == ["compile", "--unless-failed"]
        assert not children[0].ended
    assert children[0].ended


def test_nothing_is_compiled_where_it_can_not_be_or_must_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANDTABLE_NO_COMPILE", "1")
    monkeypatch.setattr(subprocess, "Popen", None)
    with run.compiling_meanwhile():
        pass
    assert run.main(["compile"]) == 1
    assert "the rules are not compiled: SANDTABLE_NO_COMPILE=1 is set" in capsys.readouterr().err


def test_play_without_a_client_names_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "prepare", lambda *locks: None)
    monkeypatch.setattr(run, "run", lambda arguments, **_: 1)
    assert run.main(["play"]) == 1
    assert "there is no browser client, for the reason given above; run.py cli console" in capsys.readouterr().err


def test_a_peer_that_cannot_be_installed_is_left_out_by_name(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    peers = checkout / "requirements-bench.lock"
    peers.write_text("# peers\nnumpy==1.0 \\\n    --hash=x\ntcod==2.0\n", encoding="utf-8")
    installed: list[str] = []

    def pip(what: str, *arguments: str) -> None:
        if what == "tcod":
            raise run.Trouble("tcod could not be installed")
        installed.append(Path(arguments[-1]).read_text(encoding="ascii"))

    monkeypatch.setattr(run, "BENCH_LOCK", peers)
    monkeypatch.setattr(run, "prepare", lambda *locks: None)
    monkeypatch.setattr(run, "pip_install", pip)
    monkeypatch.setattr(run, "run", lambda arguments, **_: 0)
    for _ in range(2):
        assert run.main(["bench"]) == 0
    assert installed == ["numpy==1.0 \\\n    --hash=x\n"]
    assert "left out: tcod could not be installed" in capsys.readouterr().err


# What packages ask for and never load as we use them; no lock has to name it.
NEVER_LOADED = frozenset(
    {
        *("faker", "httpcore", "httpx", "idna", "litestar-htmx", "polyfactory"),
        *("markdown-it-py", "mdurl", "pygments", "rich", "rich-click"),
    }
)


def test_the_locks_name_everything_that_is_needed() -> None:
    told = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    missing = re.findall(r"requires ([\w.-]+), which is not installed", told.stdout)
    assert told.stdout.splitlines()[len(missing) :] in ([], ["No broken requirements found."])
    assert NEVER_LOADED.issuperset(missing)


def test_the_server_tells_its_schema_without_the_packages_that_are_never_loaded(tmp_path: Path) -> None:
    faked = (
        "import sys; from pathlib import Path; sys.modules.update(dict.fromkeys(sys.argv[2:]));"
        "import sandtable.cli.console, sandtable.cli.simulation, sandtable.server.http.serving;"
        "from sandtable.server.http.app import inner_application; from sandtable.server.http.pages import Pages;"
        "from sandtable.server.settings import Settings; from litestar.serialization import encode_json;"
        "app = inner_application(Settings(Path(sys.argv[1])), Pages());"
        "print(len(encode_json(app.openapi_schema.to_schema())))"
    )
    blocked = sorted(name.removesuffix("-py").replace("-", "_") for name in NEVER_LOADED)
    done = subprocess.run([sys.executable, "-c", faked, str(tmp_path), *blocked], capture_output=True, text=True)
    assert done.stderr == ""
    assert int(done.stdout) > 1000


LOCKS = sorted(ROOT.glob("requirements*.lock"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_locked_package_has_an_exact_version_and_hashes_and_no_address(lock: Path) -> None:
    packages = run.locked_packages(lock)
    assert packages
    for name, lines in packages.items():
        version, *hashes = lines.replace(" \\\n", "\n").splitlines()
        assert re.fullmatch(rf'{name}==[\w.]+(; sys_platform == "win32")?', version)
        assert hashes
        assert all(re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}", line) for line in hashes)


def test_a_package_is_locked_in_one_file_alone() -> None:
    names = [name for lock in LOCKS for name in run.locked_packages(lock)]
    assert sorted(names) == sorted(set(names))


def test_only_files_with_a_locked_hash_are_installed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(run, "pip_install", lambda what, *arguments: asked.append(arguments))
    run.install_lock(run.RUNTIME_LOCK)
    assert asked == [("--require-hashes", "--no-deps", "--no-compile", "-r", str(run.RUNTIME_LOCK))]


def test_pip_refuses_a_file_whose_hash_is_not_the_locked_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "decoy-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr("decoy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: decoy\nVersion: 1.0\n")
        archive.writestr("decoy-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("decoy-1.0.dist-info/RECORD", "")
    lock = tmp_path / "some.lock"
    lock.write_text(f"decoy==1.0 \\\n    --hash=sha256:{'0' * 64}\n", encoding="ascii")
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_TARGET": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(run.Trouble, match="is not the one that was locked"):
        run.install_locked("the packages", lock)
    right = sha256(wheel.read_bytes()).hexdigest()
    lock.write_text(f"decoy==1.0 \\\n    --hash=sha256:{right}\n", encoding="ascii")
    run.install_locked("the packages", lock)
    assert (tmp_path / "decoy-1.0.dist-info").is_dir()


@pytest.mark.parametrize(
    ("address", "installed"),
    [
        ("postgresql://host/battles", ["requirements.lock", "requirements-postgresql.lock"]),
        ("postgresql+psycopg://host/battles", ["requirements.lock", "requirements-postgresql.lock"]),
        ("sqlite:///battles.sqlite", ["requirements.lock"]),
        ("", ["requirements.lock"]),
    ],
)
def test_what_postgresql_needs_is_installed_when_battles_are_kept_there(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, address: str, installed: list[str]
) -> None:
    locks: list[str] = []
    monkeypatch.setenv("SANDTABLE_DATABASE", address)
    monkeypatch.setattr(run, "make_environment", lambda: None)
    monkeypatch.setattr(run, "install_project", lambda: None)
    monkeypatch.setattr(run, "install_lock", lambda lock: locks.append(lock.name))
    run.prepare()
    assert locks == installed


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--store", "postgresql://host/battles"], True),
        (["serve", "--store=postgresql+psycopg://host/battles"], True),
        (["--store", "battles.sqlite"], False),
        (["--store"], False),
    ],
)
def test_a_store_of_the_command_line_brings_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: bool
) -> None:
    monkeypatch.delenv("SANDTABLE_DATABASE", raising=False)
    assert run.wants_postgresql(arguments) is wanted


@pytest.mark.parametrize("has_server", [True, False])
def test_the_tests_bring_what_postgresql_needs_where_there_is_a_server(
    monkeypatch: pytest.MonkeyPatch, has_server: bool
) -> None:
    locks: list[str] = []

    def prepare(*wanted: Path) -> bool:
        locks.extend(lock.name for lock in wanted)
        return True

    monkeypatch.setattr(run, "has_postgresql", lambda: has_server)
    monkeypatch.setattr(run, "prepare_with_client", prepare)
    monkeypatch.setattr(run, "run", lambda arguments, **_: 0)
    assert run.main(["test", "tests/geometry"]) == 0
    assert locks == [
        "requirements-compile.lock",
        "requirements-dev.lock",
        *["requirements-postgresql.lock"] * has_server,
    ]


@pytest.mark.parametrize(
    ("told", "codes", "code", "runs"),
    [
        pytest.param(["tests/geometry"], [0], 0, 1, id="passed"),
        pytest.param(["tests/geometry"], [1], 1, 1, id="failed and told why"),
        pytest.param([run.PLAIN], [1, 0], 1, 2, id="failed without telling what it compared"),
        pytest.param([run.BROWSER], [1, 0], 0, 2, id="a browser missed a moment"),
        pytest.param([run.BROWSER], [1, 1], 1, 2, id="failed twice in the browser"),
    ],
)
def test_tests_that_failed_run_again_where_that_can_tell_more(
    told: list[str], codes: list[int], code: int, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def pytest_run(arguments: list[str], **_: object) -> int:
        asked.append(arguments)
        return codes[len(asked) - 1]

    monkeypatch.setattr(run, "run", pytest_run)
    assert run.run_tests(told) == code
    assert ["--last-failed" in arguments for arguments in asked] == [False, True][:runs]
    assert not any(run.PLAIN in arguments for arguments in asked[1:])


def test_what_python_compiles_is_kept_in_the_environment_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    kept = f"assert not sys.dont_write_bytecode and sys.pycache_prefix == {str(run.VENV / 'bytecode')!r}"
    assert run.run(["-c", "import sys; " + kept]) == 0
