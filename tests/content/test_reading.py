"""From bytes to a table: bounded, of the right kind and format, and one plain sentence when not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from sandtable.content import migrations
from sandtable.content.reading import MAX_BOARD_BYTES, MAX_BYTES, MAX_DEPTH, open_document, parse, too_deep
from tests.content.samples import problems_of

GOOD = b'format = 1\nkind = "board"\nx = 1\n'


def test_a_document_holds_the_table_and_the_digest_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(GOOD)
    document = open_document(path, "board")
    assert (document.file, document.table) == ("a.toml", {"x": 1})
    assert document.digest == hashlib.sha256(GOOD).hexdigest()
    assert open_document(GOOD, "board").file == "<board>"
    assert open_document(GOOD, "board", "b.toml").file == "b.toml"


def test_a_byte_order_mark_and_windows_line_ends_are_read() -> None:
    assert open_document(b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"), "board").table == {"x": 1}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"x" * (MAX_BYTES + 1), "f: the file is larger than 1,048,576 bytes"),
        (b"a = 1\n\xff", "f: the file is not UTF-8 text (byte 6)"),
        (b"a = = 1", "f: line 1, column 5: not valid TOML: Invalid value"),
        (b"a = ", "f: end of document: not valid TOML: Invalid value"),
        (b"a = " + b"9" * 5000, "f: not valid TOML: a number has too many digits"),
        (b"\n\na = " + b"[" * 100_000, f"f: line 3: nested more than {MAX_DEPTH} deep"),
        (b"a = " + b"{a=" * 100_000, f"f: line 1: nested more than {MAX_DEPTH} deep"),
        (b"a." * 100_000 + b"a = 1", f"f: line 1: nested more than {MAX_DEPTH} deep"),
        (b'"a" .' * 100_000 + b"a = 1", f"f: line 1: nested more than {MAX_DEPTH} deep"),
        (b"[" + b"a." * 100_000 + b"a]", f"f: line 1: nested more than {MAX_DEPTH} deep"),
        (b'a={x="""y"""",' + b"a." * 100_000 + b"a=1}", f"f: line 1: nested more than {MAX_DEPTH} deep"),
        (b"a={x='''y''''," + b"a." * 100_000 + b"a=1}", f"f: line 1: nested more than {MAX_DEPTH} deep"),
    ],
    ids=range(12),
)
def test_bytes_that_are_no_data_file_give_one_plain_message(data: bytes, problem: str) -> None:
    assert problems_of(lambda: parse(data, "f")) == [problem]


def test_brackets_and_dots_in_strings_and_comments_do_not_nest() -> None:
    text = (
        '"'
        + "[." * 50
        + '"'
        + "'"
        + "{." * 50
        + "'"
        + '"""'
        + '["\\"' * 50
        + '"""'
        + "'''"
        + "[''" * 50
        + "'''#"
        + "[" * 50
    )
    assert too_deep(text) is None
    assert too_deep("[a]\n" * 50 + "x = [[1.5, 2.5]]\n" * 50) is None


def test_an_unclosed_string_hides_the_rest_of_the_file() -> None:
    assert too_deep('a = """' + "[" * 50 + "\\") is None
    assert too_deep("a = '''" + "[" * 50) is None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "<board>: the file is empty"),
        (b" \n\t", "<board>: the file is empty"),
        (b"format = 1", "<board>: 'kind': missing; expected 'board'"),
        (b'format = 1\nkind = "scenario"', "<board>: 'kind': got 'scenario'; expected 'board'"),
        (b'kind = "board"', "<board>: 'format': missing; expected 1"),
        (b'format = "1"\nkind = "board"', "<board>: 'format': got '1'; expected 1"),
        (b'format = true\nkind = "board"', "<board>: 'format': got true; expected 1"),
        (
            b'format = 2\nkind = "board"',
            "<board>: 'format': this file has format 2, newer than the 1 this version reads",
        ),
        (b'format = 0\nkind = "board"', "<board>: 'format': format 0 can't be read; expected 1"),
        (b'format = -9000000000\nkind = "board"', "<board>: 'format': format -9000000000 can't be read; expected 1"),
    ],
)
def test_a_file_of_another_kind_or_format_is_refused(data: bytes, problem: str) -> None:
    assert problems_of(lambda: open_document(data, "board")) == [problem]


def test_a_file_that_is_not_there_or_is_no_file_is_refused(tmp_path: Path) -> None:
    assert problems_of(lambda: open_document(tmp_path / "a.toml", "board")) == ["a.toml: there is no such file"]
    assert problems_of(lambda: open_document(tmp_path, "board", "b")) == ["b: this is a folder, not a file"]


def test_a_file_that_can_not_be_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(GOOD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert problems_of(lambda: open_document(path, "board")) == ["a.toml: the file can't be read: Permission denied"]


def test_no_more_of_a_file_is_read_than_may_be_used(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    assert problems_of(lambda: open_document(path, "board")) == ["big.toml: the file is larger than 8,388,608 bytes"]
    assert problems_of(lambda: open_document(path, "table")) == ["big.toml: the file is larger than 1,048,576 bytes"]


def test_a_board_may_be_larger_than_other_files() -> None:
    padding = b"#" * MAX_BYTES
    assert open_document(GOOD + padding, "board").table == {"x": 1}
    for data, kind, limit in (
        (GOOD + b"#" * MAX_BOARD_BYTES, "board", "8,388,608"),
        (GOOD + padding, "scenario", "1,048,576"),
    ):
        assert problems_of(lambda data=data, kind=kind: open_document(data, kind, "f")) == [  # type: ignore[misc]
            f"f: the file is larger than {limit} bytes"
        ]


@pytest.fixture
def old_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two older formats: format -1 called the key `y` and format 0 kept `x` as text."""
    steps: dict[int, migrations.Migration] = {
        -1: lambda table: {**{k: v for k, v in table.items() if k != "y"}, "x": table["y"]},
        0: lambda table: {**table, "x": int(table["x"])},
    }
    monkeypatch.setitem(migrations.MIGRATIONS, "board", steps)


@pytest.mark.usefixtures("old_formats")
def test_an_older_file_is_brought_up_to_date_one_format_at_a_time() -> None:
    assert open_document(b'format = -1\nkind = "board"\ny = "7"', "board").table == {"x": 7}
    assert open_document(b'format = 0\nkind = "board"\nx = "8"', "board").table == {"x": 8}


@pytest.mark.usefixtures("old_formats")
def test_an_older_file_that_is_wrong_is_refused_at_the_step_that_failed() -> None:
    assert problems_of(lambda: open_document(b'format = -1\nkind = "board"', "board")) == [
        "<board>: 'format': the file can't be brought from format -1 to format 0"
    ]
    assert problems_of(lambda: open_document(b'format = 0\nkind = "board"\nx = "?"', "board")) == [
        "<board>: 'format': the file can't be brought from format 0 to format 1"
    ]
    assert problems_of(lambda: open_document(b'format = -5\nkind = "board"', "board")) == [
        "<board>: 'format': format -5 can't be read; expected 1"
    ]
