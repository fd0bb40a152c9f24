"""The commands for operators, as processes: what they print, where, and how they end."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import indexing
from pipeline.cli.running import Invocation, run_command
from pipeline.lock import StoreLock
from tests.helpers.command import environment, run_glyphdex
from tests.helpers.pdf_maker import Page, make_document

START = "import sys; from pipeline.cli.main import main; sys.argv[0] = 'glyphdex'; main()"


def pdf(*texts: str) -> bytes:
    return make_document([Page(f"BT /F1 10 Tf 72 700 Td ({text}) Tj ET") for text in texts])


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@dataclass(frozen=True)
class Operated:
    """A folder with a store, and what the two runs over it printed."""

    folder: Path
    store: Path
    first: subprocess.CompletedProcess[str]
    second: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Operated:
    place = tmp_path_factory.mktemp("operated")
    folder, store = place / "in", place / "store"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf("apple one", "apple two"))
    (folder / "b.pdf").write_bytes(pdf("banana"))
    (folder / "bad.pdf").write_bytes(b"no pdf")
    first = run_glyphdex("ingest", folder, "--store", store, "--workers", "1", "--json")
    (folder / "a.pdf").write_bytes(pdf("apple one", "cherry two words"))
    (folder / "b.pdf").rename(folder / "c.pdf")
    (folder / "x [1].pdf").write_bytes(pdf("listed"))
    second = run_glyphdex(
        "ingest", "--files-from", "-", folder, "--store", store, "--log-format", "json", "--workers", "1",
        "--metrics-file", place / "out" / "run.prom", "--report", place / "out" / "run.html",
        stdin=f"{folder}/x [1].pdf\n",
    )  # fmt: skip
    return Operated(folder, store, first, second)


def test_the_report_goes_to_standard_output_and_the_rest_to_standard_error(operated: Operated) -> None:
    assert operated.first.returncode == 3, operated.first.stderr
    report = json.loads(operated.first.stdout)
    assert report["documents"] == {"found": 3, "ok": 2, "partial": 0, "failed": 1, "pending": 0}
    assert report["reasons"] == {"not_a_pdf": 1}
    assert "3 documents found: 2 ok, 0 partial, 1 failed" in operated.first.stderr


def test_a_log_in_json_is_json_line_by_line(operated: Operated) -> None:
    assert operated.second.returncode == 3, operated.second.stderr
    assert operated.second.stdout == ""
    events = lines_of(operated.second.stderr)
    assert [event["event"] for event in events if event["event"] != "progress"] == ["found", "summary"]
    summary = events[-1]
    assert summary["plan"]["changed"] == 1
    assert summary["moved"] == 1
    assert summary["pages"]["extracted"] == 3


def test_the_metrics_file_is_prometheus_text(operated: Operated) -> None:
    text = (operated.store.parent / "out" / "run.prom").read_text("utf-8")
    values = {}
    for line in text.splitlines():
        if line.startswith("# "):
            assert re.fullmatch(r"# (HELP \w+ .+|TYPE \w+ gauge)", line)
        else:
            name, value = re.fullmatch(r"(\w+(?:\{\w+=\"[^\"]*\"\})?) (\S+)", line).groups()  # type: ignore[union-attr]
            values[name] = float(value)
    assert values['glyphdex_documents{state="found"}'] == 4
    assert values['glyphdex_documents{state="ok"}'] == 3
    assert values['glyphdex_documents_not_ok{reason="not_a_pdf"}'] == 1
    assert values['glyphdex_pages{state="extracted"}'] == 3
    assert values["glyphdex_run_exit_code"] == 3
    assert values["glyphdex_words"] == 6
    assert values["glyphdex_lines"] == 3
    assert values["glyphdex_images"] == 0
    assert 0 < values["glyphdex_extraction_cpu_seconds"] < 60
    kinds = set(re.findall(r'glyphdex_glyphs\{kind="(\w+)"', text))
    assert "visible" in kinds
    assert not kinds & {"ms", "images", "lines", "words"}
    assert not re.search(r"[.][0-9]{7}", text)  # no 217.19999999999999


def test_the_html_report_needs_no_network(operated: Operated) -> None:
    page = (operated.store.parent / "out" / "run.html").read_text("utf-8")
    assert "<svg" in page
    assert "not_a_pdf" in page
    assert not re.search(r"(src|href)=|https?://|@import|url\(", page)
    assert page.count("<table") >= 3


def test_errors_are_grouped_by_cause(operated: Operated) -> None:
    done = run_glyphdex("errors", operated.store)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "not_a_pdf: 1 in 1 documents (nothing in the file is PDF)"
    assert "please report it" in run_glyphdex("errors", "--codes").stdout
    assert "bad.pdf" in done.stdout.splitlines()[1]
    (row,) = lines_of(run_glyphdex("errors", operated.store, "--json").stdout)
    assert (Path(row["path"]).name, row["page"], row["reason"]) == ("bad.pdf", None, "not_a_pdf")
    assert run_glyphdex("errors", operated.store, "--json", "--reason", "timeout").stdout == ""
    assert run_glyphdex("errors", operated.store, "--json", "--flag", "needs_ocr").stdout == ""


def test_status_counts(operated: Operated) -> None:
    status = json.loads(run_glyphdex("status", operated.store, "--json").stdout)
    assert status["documents"] == {"total": 4, "ok": 3, "partial": 0, "failed": 1}
    assert status["pages"] == {"live": 4, "unfinished": 0, "dead": 2}
    assert status["snapshot"] == 2
    assert status["bytes"]["dead rows"] > 0
    assert len(status["runs"]) == 2
    plain = run_glyphdex("status", operated.store).stdout
    assert "4: 3 ok, 0 partial, 1 failed" in plain
    assert "4 live, 2 dead" in plain


def test_runs_and_diff(operated: Operated) -> None:
    newest, oldest = lines_of(run_glyphdex("runs", operated.store, "--json").stdout)
    assert newest["run_id"] > oldest["run_id"]
    done = run_glyphdex("diff", operated.store, oldest["run_id"], newest["run_id"], "--json")
    assert done.returncode == 1
    changes = {Path(change["path"]).name: change for change in lines_of(done.stdout)}
    assert {name: change["kind"] for name, change in changes.items()} == {
        "a.pdf": "changed",
        "b.pdf": "went",
        "c.pdf": "came",
        "x [1].pdf": "came",
    }
    changed = changes["a.pdf"]
    assert (changed["pages_changed"], changed["words_came"], changed["words_went"]) == (1, 2, 1)
    assert (
        run_glyphdex("diff", operated.store, "1", "2").stdout == run_glyphdex("diff", operated.store).stdout
    )
    assert run_glyphdex("diff", operated.store, "2", "2").returncode == 0
    assert run_glyphdex("diff", operated.store, "nonsense").returncode == 2


def test_dry_run_lists_and_changes_nothing(operated: Operated, tmp_path: Path) -> None:
    before = (operated.store / "CURRENT").read_text("ascii")
    (tmp_path / "new.pdf").write_bytes(pdf("something new"))
    done = run_glyphdex("ingest", operated.folder, tmp_path, "--store", operated.store, "--dry-run")
    assert done.returncode == 0
    assert done.stdout == f"new\t{tmp_path}/new.pdf\n"
    assert "4 unchanged" in done.stderr
    assert (operated.store / "CURRENT").read_text("ascii") == before
    nowhere = run_glyphdex("ingest", operated.folder, "--store", tmp_path / "none", "--dry-run", "--json")
    assert len(json.loads(nowhere.stdout)["new"]) == 4
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--direct_num_worker=2"],
            "knows no option --direct_num_worker; did you mean --direct_num_workers?",
        ),
        (["--nonsense", "5"], "knows no option --nonsense"),
        (["stray"], "knows no option stray"),
        (["--direct_num_workers=many"], "invalid int value: 'many'"),
        (["--runner=DirectRuner"], "Unexpected pipeline runner: DirectRuner"),
    ],
)
def test_options_that_beam_does_not_know_are_refused(
    options: list[str], said: str, operated: Operated, tmp_path: Path
) -> None:
    done = run_glyphdex("ingest", operated.folder, "--store", tmp_path / "s", "--", *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "s").exists()


def test_options_that_beam_knows_are_passed_on(operated: Operated, tmp_path: Path) -> None:
    options = ["--direct_num_workers=1", "--direct_running_mode", "in_memory"]
    done = run_glyphdex("ingest", operated.folder / "c.pdf", "--store", tmp_path / "s", "--", *options)
    assert done.returncode == 0, done.stderr


def test_a_locked_store_ends_with_4(operated: Operated) -> None:
    with StoreLock(operated.store):
        done = run_glyphdex("ingest", operated.folder, "--store", operated.store)
        assert done.returncode == 4
        assert "another run" in done.stderr
        assert run_glyphdex("compact", operated.store).returncode == 4
        assert run_glyphdex("search", operated.store, "apple").returncode == 0  # readers never wait


def test_a_read_only_store_is_searched_and_not_written(
    operated: Operated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = os.open

    def read_only(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if str(path).startswith(str(operated.store)) and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        return opened(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", read_only)
    assert run_command(Invocation(operated.store, [str(operated.folder)], None, {})) == 1
    assert "the last commit is untouched" in capsys.readouterr().err
    with indexing.open_index(operated.store) as index:
        assert index.search("apple").total == 1


def test_a_run_that_fails_tells_monitoring(operated: Operated, tmp_path: Path) -> None:
    metrics = tmp_path / "run.prom"
    shutil.copytree(operated.store, tmp_path / "store")
    empty = operated.folder.with_name("emptied")
    operated.folder.rename(empty)
    operated.folder.mkdir()
    try:
        arguments = ("ingest", operated.folder, "--store", tmp_path / "store", "--metrics-file", metrics)
        assert run_glyphdex(*arguments).returncode == 5
    finally:
        operated.folder.rmdir()
        empty.rename(operated.folder)
    assert "glyphdex_run_exit_code 5\n" in metrics.read_text("utf-8")
    below, folder = metrics / "below" / "a.html", tmp_path / "a folder"
    folder.mkdir()
    unwritable = run_glyphdex(
        "ingest", operated.folder, "--store", tmp_path / "store", "--report", below, "--metrics-file", folder
    )
    assert unwritable.returncode == 3
    assert unwritable.stderr.splitlines()[-2:] == [
        f"glyphdex: --metrics-file {folder} cannot be written: is a directory",
        f"glyphdex: --report {below} cannot be written: not a directory",
    ]


def test_a_store_that_is_a_file_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    done = run_glyphdex("ingest", tmp_path, "--store", tmp_path / "store")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_verify_and_index_commands(operated: Operated) -> None:
    assert run_glyphdex("verify", operated.store).returncode == 0
    assert run_glyphdex("index", "check", operated.store).returncode == 0
    facts = json.loads(run_glyphdex("index", "info", operated.store, "--json").stdout)
    assert facts["pages"] == 4
    assert sum(segment["live"] for segment in facts["segments"]) == 4
    done = run_glyphdex("index", "rebuild", operated.store, "--if-needed")
    assert (done.returncode, done.stderr) == (0, "The index is as it should be.\n")


def test_search_options(operated: Operated) -> None:
    grouped = json.loads(
        run_glyphdex(
            "search", operated.store, "apple OR cherry", "--group", "--facet", "folder", "--json"
        ).stdout
    )
    assert [(Path(group["path"]).name, group["pages"]) for group in grouped["groups"]] == [("a.pdf", 2)]
    assert grouped["facets"]["folder"][0]["documents"] == 1
    table = run_glyphdex("search", operated.store, "apple", "--csv").stdout.splitlines()
    assert table[0].split(",")[:2] == ["path", "page"]
    assert table[1].startswith(f"{operated.folder}/a.pdf,1,")
    assert "**apple** one" in table[1]
    by_page = json.loads(
        run_glyphdex("search", operated.store, "one OR two", "--sort", "path", "--json").stdout
    )
    assert [hit["page"] for hit in by_page["hits"]] == [1, 2]
    missing = run_glyphdex("search", operated.store, "aple")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "Did you mean: apple" in missing.stderr
    assert run_glyphdex("search", operated.store, '"open', "--strict").returncode == 2


def test_the_place_of_a_hit_on_the_page(operated: Operated, tmp_path: Path) -> None:
    arguments = ("page", operated.store, operated.folder / "a.pdf", "2", "--highlight", "cherry", "--json")
    marks = json.loads(run_glyphdex(*arguments, "-o", tmp_path / "hit.png").stdout)
    (box,) = marks["boxes"]
    assert (box["text"], marks["width"], marks["height"]) == ("cherry", 600.0, 800.0)
    assert box["x0"] == pytest.approx(72, abs=0.1)
    assert box["y0"] < 100 < box["y1"]  # the baseline is at 700 of 800 points, from below
    from PIL import Image

    picture = Image.open(tmp_path / "hit.png")
    assert picture.size == (1200, 1600)
    inside = picture.getpixel((int(box["x1"] * 2) + 1, 200))
    assert inside[2] < 200 < inside[0]  # yellow
    assert picture.getpixel((600, 800)) == (255, 255, 255)
    assert run_glyphdex("page", operated.store, "nowhere.pdf", "1").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reason", "bogus"], "there is no reason 'bogus'; known are changed, crash"),
        (["--reason", "vanish"], "did you mean vanished?"),
        (["--flag", "need_ocr"], "there is no flag 'need_ocr'; did you mean needs_ocr?"),
    ],
)
def test_a_reason_or_flag_that_does_not_exist_is_refused(
    arguments: list[str], said: str, operated: Operated
) -> None:
    done = run_glyphdex("errors", operated.store, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_what_diff_says_of_names_that_do_not_name_one_run(operated: Operated) -> None:
    newest, oldest = lines_of(run_glyphdex("runs", operated.store, "--json").stdout)
    shared = oldest["run_id"][:8]
    both = run_glyphdex("diff", operated.store, shared)
    assert both.returncode == 2
    assert f"{shared!r} is the beginning of 2 runs: {oldest['run_id']}, {newest['run_id']}" in both.stderr
    none = run_glyphdex("diff", operated.store, "1999")
    assert "no run begins with '1999'" in none.stderr
    year = newest["run_id"][:4]
    assert f"'{year}' is the beginning of 2 runs" in run_glyphdex("diff", operated.store, year).stderr


def test_text_of_what_is_no_pdf_file(tmp_path: Path) -> None:
    def said(*arguments: str | Path) -> str:
        done = run_glyphdex("text", *arguments)
        assert done.returncode == 2
        return done.stderr.strip()

    assert said(tmp_path / "never.pdf") == f"{tmp_path}/never.pdf: not_found: there is no such file"
    assert (
        said(tmp_path) == f"{tmp_path}: not_a_file: this is a folder; name a PDF file, or ingest the folder"
    )
    archive = tmp_path / "stored.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as content:
        content.writestr("x.pdf", pdf("stored text"))
    whole = f"not_a_pdf: this is a zip archive of 1 PDFs; name one, for example {archive}!/x.pdf"
    assert said(archive) == f"{archive}: {whole}"
    assert run_glyphdex("text", f"{archive}!/x.pdf").stdout == "stored text\n"
    assert said(f"{archive}!/y.pdf").endswith("vanished: the archive no longer holds this file")
    (tmp_path / "a.pdf").write_bytes(pdf("a"))
    refused = said(tmp_path / "a.pdf", "--password-file", tmp_path / "none")
    assert f"password file {tmp_path}/none: no such file or directory" in refused
    assert "Errno" not in refused


def test_errors_of_the_system_are_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("a"))
    for arguments in (
        ["ingest", tmp_path / "a.pdf", "--store", tmp_path / "a.pdf" / "s"],
        ["ingest", tmp_path / "a.pdf", "--store", tmp_path / "s", "--config", tmp_path / "none.toml"],
        ["ingest", tmp_path / "a.pdf", "--store", tmp_path / "s", "--password-file", tmp_path],
        ["ingest", "--files-from", tmp_path / "none", "--store", tmp_path / "s"],
        ["status", tmp_path / "nowhere"],
        ["verify", tmp_path / "a.pdf"],
    ):
        done = run_glyphdex(*arguments)
        assert done.returncode in (1, 2, 3), arguments
        assert "Errno" not in done.stderr, arguments
        assert "Traceback" not in done.stderr, arguments
        assert str(tmp_path) in done.stderr or done.returncode == 3, arguments


@pytest.mark.parametrize("output", ["2>/dev/full", "2>&-", "2>&- <&-"])
def test_a_log_that_cannot_be_written_does_not_stop_a_run(
    output: str, operated: Operated, tmp_path: Path
) -> None:
    command = (
        f"{sys.executable} -m pipeline.cli.main ingest {operated.folder} --store {tmp_path}/s --json {output}"
    )
    done = subprocess.run(command, shell=True, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert json.loads(done.stdout)["documents"]["ok"] == 3
    assert run_glyphdex("verify", tmp_path / "s").returncode == 0


def test_what_a_full_disk_kept_of_the_log_is_left() -> None:
    """Python tries the rest of a buffer again when it ends, and then ends with 120."""
    code = (
        "import sys; from pipeline.cli import main; sys.stderr = open(2, 'w', closefd=False); "
        "begin = main._speak_utf8; main._speak_utf8 = lambda: (begin(), sys.stderr.write('held')); "
        "main.main(['--version'])"
    )
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert done.returncode == 0
    assert done.stdout.startswith(b"glyphdex")


@pytest.mark.parametrize("command", ["status", "errors", "runs", "verify", "compact", "retry", "diff"])
def test_commands_on_what_is_no_store(command: str, tmp_path: Path) -> None:
    done = run_glyphdex(command, tmp_path)
    assert done.returncode == 2
    assert "is not a store" in done.stderr
    assert "Traceback" not in done.stderr


def test_config_show_tells_where_values_come_from(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[limits]\npage_seconds = 7\n")
    done = run_glyphdex("config", "show", "--config", file, "--json", env={"GLYPHDEX_RUN_WORKERS": "3"})
    rows = {row["name"]: row for row in lines_of(done.stdout)}
    assert (rows["limits.page_seconds"]["value"], rows["limits.page_seconds"]["origin"]) == (
        7.0,
        f"file {file}",
    )
    assert rows["run.workers"]["origin"] == "variable GLYPHDEX_RUN_WORKERS"
    assert all(row["meaning"] for row in rows.values())
    plain = run_glyphdex("config", "show", "--config", file).stdout
    assert "page_seconds = 7.0" in plain
    wrong = run_glyphdex("config", "show", env={"GLYPHDEX_LIMITS_PAGE_SECOND": "3"})
    assert wrong.returncode == 2
    assert "did you mean 'limits.page_seconds'" in wrong.stderr
    unknown = run_glyphdex(
        "ingest", tmp_path, "--store", tmp_path / "s", env={"GLYPHDEX_EXTRACTOR_ANOTATIONS": "1"}
    )
    assert unknown.returncode == 2
    assert "did you mean 'annotations'" in unknown.stderr


def test_the_version_and_help_come_at_once() -> None:
    assert run_glyphdex("--version").stdout.startswith("glyphdex ")
    text = run_glyphdex("--help").stdout
    for command in (
        "ingest",
        "search",
        "text",
        "status",
        "errors",
        "retry",
        "runs",
        "diff",
        "compact",
        "verify",
    ):
        assert command in text
        assert run_glyphdex(command, "--help").returncode == 0


@pytest.fixture
def long_run(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """An ingest whose pages each take long enough to be interrupted."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.pdf").write_bytes(pdf(*[f"doc {number} page {page}" for page in range(4)]))
    (tmp_path / "slow_child.py").write_text(
        "import sys, time, extractor\nfrom pipeline import worker_main\n"
        "done = extractor.extract_page\n"
        "def slow(document, index):\n    time.sleep(0.1)\n    return done(document, index)\n"
        "extractor.extract_page = slow\nsys.exit(worker_main.main())\n"
    )
    code = f"import pipeline.worker; pipeline.worker.CHILD_MODULE = 'slow_child'; {START}"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            code,
            "ingest",
            str(folder),
            "--store",
            str(tmp_path / "store"),
            "--workers",
            "1",
        ],
        env={
            **environment(),
            "PYTHONPATH": f"{environment()['PYTHONPATH']}:{tmp_path}",
            "GLYPHDEX_RUN_SPAN_PAGES": "2",
        },
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def wait_for_pages(store: Path, least: int) -> None:
    for _ in range(600):
        logs = [path.read_text() for path in store.glob("staging/*/progress/*.jsonl")]
        if sum(json.loads(line).get("pages", 0) for log in logs for line in log.splitlines()) >= least:
            return
        time.sleep(0.1)
    raise AssertionError("the run did not start")


def test_the_first_interrupt_commits_what_is_whole_and_says_how_to_go_on(
    long_run: subprocess.Popen[str], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    wait_for_pages(store, 20)
    long_run.send_signal(signal.SIGINT)
    _, said = long_run.communicate(timeout=120)
    assert long_run.returncode == 130
    assert "Finishing the pages in flight" in said
    assert "run the same command again" in said
    assert "Traceback" not in said
    status = json.loads(run_glyphdex("status", store, "--json").stdout)
    assert 1 <= status["documents"]["ok"] < 40
    assert run_glyphdex("verify", store).returncode == 0
    before = sum(status["pages"].values())
    again = run_glyphdex("ingest", tmp_path / "in", "--store", store, "--json")
    report = json.loads(again.stdout)
    assert report["documents"]["ok"] == 40
    assert report["pages"]["extracted"] == 160 - before


def test_an_interrupt_before_anything_began_says_so_and_ends_with_130() -> None:
    code = "import os, signal, pipeline.cli.main as main\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "main.importlib.import_module = lambda name: os.kill(os.getpid(), signal.SIGINT)\nmain.main(['status', 'x'])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "glyphdex: interrupted\n")


def test_the_second_interrupt_stops_at_once(long_run: subprocess.Popen[str], tmp_path: Path) -> None:
    store = tmp_path / "store"
    wait_for_pages(store, 4)
    long_run.send_signal(signal.SIGINT)
    time.sleep(0.05)
    long_run.send_signal(signal.SIGINT)
    _, said = long_run.communicate(timeout=30)
    assert long_run.returncode == 130
    assert "The last commit is untouched" in said
    assert not (store / "CURRENT").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--password-file", "nosuch"], "password file nosuch: no such file"),
        (["--password-command", "false"], "the password command ended with exit code 1"),
    ],
)
def test_a_password_list_that_cannot_be_had_is_said_before_anything_begins(
    options: list[str], said: str, operated: Operated, tmp_path: Path
) -> None:
    """No document needs a password, and in the second store nothing is to be read at all."""
    for store, more in ((tmp_path / "s", []), (operated.store, []), (tmp_path / "s", ["--dry-run"])):
        done = run_glyphdex("ingest", operated.folder, "--store", store, *options, *more)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert said in done.stderr
    assert not (tmp_path / "s").exists()


def test_the_password_command_is_run_once_a_run(operated: Operated, tmp_path: Path) -> None:
    command = f"sh -c 'echo ran >> {tmp_path}/log; echo secret'"
    arguments = ("ingest", operated.folder / "c.pdf", "--store", tmp_path / "s")
    assert run_glyphdex(*arguments, "--password-command", command).returncode == 0
    assert (tmp_path / "log").read_text() == "ran\n"


@pytest.mark.parametrize("variable", ["GLYPHDEX_EXTRACTOR_ANOTATIONS", "GLYPHDEX_INDEX_STEM"])
def test_a_wrong_setting_leaves_no_folder(variable: str, operated: Operated, tmp_path: Path) -> None:
    done = run_glyphdex("ingest", operated.folder, "--store", tmp_path / "s", env={variable: "xx"})
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert not (tmp_path / "s").exists()


def test_a_configuration_that_cannot_be_read_is_said_in_the_form_of_the_log(tmp_path: Path) -> None:
    arguments = ("ingest", tmp_path, "--store", tmp_path / "s", "--config", tmp_path / "nosuch.toml")
    by_flag = run_glyphdex(*arguments, "--log-format", "json")
    by_variable = run_glyphdex(*arguments, env={"GLYPHDEX_OUTPUT_LOG_FORMAT": "json"})
    for done in (by_flag, by_variable):
        (line,) = lines_of(done.stderr)
        assert (done.returncode, line["event"], line["exit_code"]) == (2, "usage", 2)
        assert "nosuch.toml: no such file" in line["message"]


def test_a_dry_run_counts_as_the_run_does_and_tells_copies_from_moves(
    operated: Operated, tmp_path: Path
) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    shutil.copytree(operated.folder, folder)
    assert run_glyphdex("ingest", folder, "--store", store).returncode == 3
    shutil.copy(folder / "a.pdf", folder / "copy.pdf")
    (folder / "c.pdf").rename(folder / "moved.pdf")
    (folder / "new.pdf").write_bytes(pdf("new"))
    dry = run_glyphdex("ingest", folder, "--store", store, "--dry-run")
    assert dry.stdout.splitlines() == [
        f"new\t{folder}/new.pdf",
        f"moved\t{folder}/moved.pdf\tfrom {folder}/c.pdf",
        f"copied\t{folder}/copy.pdf\tfrom {folder}/a.pdf",
    ]
    counted = "  of them 3 new, 3 unchanged, 1 gone; 2 moved or copied"
    assert dry.stderr.splitlines() == ["6 documents found", counted]
    assert counted in run_glyphdex("ingest", folder, "--store", store).stderr.splitlines()


@pytest.mark.parametrize(
    "command",
    [["retry"], ["verify"], ["verify", "--repair"], ["compact"], ["index", "rebuild"], ["status"]],
)
def test_commands_during_the_first_run_over_a_store_say_that_it_is_held(
    command: list[str], tmp_path: Path
) -> None:
    with StoreLock(tmp_path):
        done = run_glyphdex(*command, tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert "the first run over this store is going on" in done.stderr


def test_a_list_without_a_path_is_called_empty(tmp_path: Path) -> None:
    done = run_glyphdex("ingest", "--files-from", "-", "--store", tmp_path / "s", stdin="\n")
    assert done.returncode == 2
    assert "--files-from -: the list is empty" in done.stderr


def test_a_run_without_a_commit_has_no_snapshot(operated: Operated, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(operated.store, store)
    report = json.loads(sorted((store / "runs").glob("*.json"))[0].read_text("utf-8"))
    failed = {**report, "run_id": "99990101T000000.000Z-ffff", "state": "failed", "snapshot": None}
    (store / "runs" / f"{failed['run_id']}.json").write_text(json.dumps(failed), "utf-8")
    listed = run_glyphdex("runs", store).stdout
    assert "no snapshot" in listed.splitlines()[0]
    assert "None" not in listed
