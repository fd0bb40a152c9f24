"""The scripts, run as a user runs them; pip is left out, the environment is the one the tests run in."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import extractor
from scripts.compare_runs import Run, compare
from scripts.make_samples import SAMPLES, make_samples
from tests.helpers.command import environment, run_glyphdex, run_python
from tests.helpers.pdf_maker import make_pdf

SHELL_SCRIPTS = ("scripts/quickstart.sh", "scripts/test.sh", ".ci/run")


def text_of(path: Path) -> str:
    with extractor.open_document(path) as document:
        return "\f".join(page.text() for page in document)


class TestSamples:
    def test_the_same_bytes_every_time(self, tmp_path: Path) -> None:
        first, again = make_samples(tmp_path / "one"), make_samples(tmp_path / "two")
        assert [path.name for path in first] == list(SAMPLES)
        assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]

    def test_samples_that_stand_there_are_not_touched(self, tmp_path: Path) -> None:
        written = [path.stat().st_mtime_ns for path in make_samples(tmp_path)]
        (tmp_path / "greek.pdf").write_bytes(b"spoilt")
        again = {path.name: path.stat().st_mtime_ns for path in make_samples(tmp_path)}
        assert [time for name, time in again.items() if name != "greek.pdf"] == written[:-1]
        assert len(list(tmp_path.iterdir())) == len(SAMPLES)
        assert (tmp_path / "greek.pdf").read_bytes().startswith(b"%PDF")

    def test_fake_bold(self, samples: Path) -> None:
        text = text_of(samples / "fake-bold.pdf")
        assert text.startswith(
            "Lighthouse inspection\nThe balloon filled slowly while the crew fell silent.\n"
        )
        assert "Account 1111 was settled; all bills were still unpaid." in text
        assert "\fWeather summary\n" in text

    def test_gaps_without_spaces(self, samples: Path) -> None:
        text = text_of(samples / "gaps-without-spaces.pdf")
        assert text.splitlines()[1] == "and no space glyph separates neighbouring words"
        with extractor.open_document(samples / "gaps-without-spaces.pdf") as document:
            assert document[0].counts.inserted_spaces == text.count(" ")

    def test_form_and_slug(self, samples: Path) -> None:
        text = text_of(samples / "form-and-slug.pdf")
        assert text.count("CERTIFIED DUPLICATE") == 2
        assert "SLUGLINE" not in text

    def test_chinese_and_greek(self, samples: Path) -> None:
        assert "全文检索让人们很快找到需要的文件。" in text_of(samples / "chinese.pdf")
        assert "本报告由95后工程师编写。" in text_of(samples / "chinese.pdf")
        assert "Ο λόγος του καπετάνιου είναι νόμος." in text_of(samples / "greek.pdf")


@pytest.mark.parametrize("script", SHELL_SCRIPTS)
def test_shell_scripts_are_executable_and_well_formed(project: Path, script: str) -> None:
    path = project / script
    assert path.stat().st_mode & stat.S_IXUSR
    assert path.read_text().startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", str(path)], check=True)
    for line in path.read_text().splitlines():
        assert "/home/" not in line
        assert "/root" not in line


def test_ci_runs_the_tests_as_a_user_does(project: Path) -> None:
    lines = (project / ".ci/run").read_text().splitlines()
    commands = [line for line in lines if line.startswith(("./", ".venv/"))]
    assert commands[0] == "./scripts/test.sh"
    assert [Path(command.split()[0]).name for command in commands[1:]] == ["ruff", "ruff", "mypy"]


class TestQuickStart:
    """The quick start on a copy of the project in a folder with spaces, whose environment stands already."""

    @pytest.fixture(scope="class")
    def copy(self, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
        copy = tmp_path_factory.mktemp("a copy") / "glyph dex"
        copy.mkdir()
        for name in ("scripts", "extractor", "indexing", "pipeline", "configs"):
            shutil.copytree(project / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(project / "pyproject.toml", copy)
        self._stand_in_environment(copy)
        return copy

    @staticmethod
    def _stand_in_environment(copy: Path) -> None:
        """Make .venv look installed: this Python's packages, the command, and the stamp that says so."""
        folder = copy / ".venv"
        venv.create(folder, with_pip=False)
        site = next((folder / "lib").glob("python*/site-packages"))
        ours = [path for path in sys.path if path.endswith("site-packages")]
        (site / "stand_in.pth").write_text("\n".join([str(copy), *ours]) + "\n")
        command = folder / "bin" / "glyphdex"
        command.write_text(f'#!/bin/sh\nexec "{folder}/bin/python" -m pipeline.cli.main "$@"\n')
        command.chmod(0o755)
        pyproject = (copy / "pyproject.toml").read_bytes()
        checksum = (
            subprocess.run(["cksum"], input=pyproject, capture_output=True, check=True)
            .stdout.decode()
            .strip()
        )
        (folder / ".installed-samples").write_text(f"{copy} {checksum.strip()}")

    def _run(self, copy: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        home = copy.parent / "home"
        home.mkdir(exist_ok=True)
        kept = {key: value for key, value in environment().items() if key != "PYTHONPATH"}
        return subprocess.run(
            [str(copy / "scripts" / "quickstart.sh"), *map(str, arguments)],
            cwd=cwd, env={**kept, "HOME": str(home)}, timeout=240, check=False,
            capture_output=True, encoding="utf-8",
        )  # fmt: skip

    def test_samples_are_found_and_a_second_run_changes_nothing(self, copy: Path, tmp_path: Path) -> None:
        first = self._run(copy, cwd=tmp_path)
        assert first.returncode == 0, first.stderr
        assert first.stdout.count("\n$ glyphdex search") == 3
        for name in ("fake-bold.pdf", "chinese.pdf", "greek.pdf"):
            assert name in first.stdout
        assert not list(tmp_path.iterdir()), "nothing may be written to the folder it was called from"
        again = self._run(copy, cwd=copy)
        assert again.returncode == 0, again.stderr
        hits = [run.stdout[run.stdout.index("\n$ glyphdex search") :] for run in (first, again)]
        assert hits[0] == hits[1]
        assert "5 unchanged" in again.stdout + again.stderr

    def test_a_folder_of_one_s_own(self, copy: Path, tmp_path: Path) -> None:
        folder = tmp_path / "my own pdfs"
        folder.mkdir()
        lines = "(walrus expedition) Tj 0 -20 TD (journal of polar nights) Tj"
        (folder / "a b.pdf").write_bytes(make_pdf(f"BT /F1 12 Tf 72 700 Td {lines} ET"))
        (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
        done = self._run(copy, "my own pdfs", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "a b.pdf" in done.stdout
        assert "Some files could not be read" in done.stderr

    def test_usage_errors(self, copy: Path, tmp_path: Path) -> None:
        missing = self._run(copy, tmp_path / "nowhere", cwd=tmp_path)
        assert missing.returncode == 2
        assert "no such folder" in missing.stderr
        assert self._run(copy, "a", "b", cwd=tmp_path).returncode == 2
        shown = self._run(copy, "--help", cwd=tmp_path)
        assert shown.returncode == 0
        assert "quickstart.sh [FOLDER]" in shown.stdout


def run_with_python(project: Path, folder: Path, stand_in: str) -> subprocess.CompletedProcess[str]:
    """Run test.sh where the only Python is a shell script that acts as one, and there is neither uv nor apt-get."""
    tools = folder / "bin"
    tools.mkdir()
    (tools / "python3").write_text(f"#!/bin/sh\n{stand_in}\n")
    (tools / "python3").chmod(0o755)
    for name in ("bash", "env", "dirname", "cat", "cksum", "rm", "sed", "cut", "id", "basename"):
        (tools / name).symlink_to(shutil.which(name) or pytest.fail(name))
    copy = folder / "copy"
    shutil.copytree(project / "scripts", copy / "scripts")
    shutil.copy(project / "pyproject.toml", copy)
    return subprocess.run(
        [shutil.which("bash") or "bash", str(copy / "scripts/test.sh")],
        env={"PATH": str(tools), "HOME": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_old_python_alone_is_named_clearly(project: Path, tmp_path: Path) -> None:
    done = run_with_python(project, tmp_path, "case $1 in --version) echo Python 3.9.2;; *) exit 1;; esac")
    assert done.returncode == 2
    assert "Python >= 3.11" in done.stderr
    assert "3.9.2" in done.stderr
    assert "apt-get install" in done.stderr


def test_a_python_that_makes_no_environments_is_named_clearly(project: Path, tmp_path: Path) -> None:
    """Debian and Ubuntu split python3-venv from Python."""
    stand_in = 'case "$*" in *ensurepip*|"-m "*) exit 1;; *%d.%d*) echo 3.12;; esac'
    done = run_with_python(project, tmp_path, stand_in)
    assert done.returncode == 2
    assert "sudo apt-get install python3.12-venv" in done.stderr
    assert not (tmp_path / "copy/.venv").exists()


BEFORE: Run = {("x.pdf", 1): "one two", ("x.pdf", 2): "same", ("y.pdf", 1): "a b c"}
AFTER: Run = {("x.pdf", 1): "onetwo", ("x.pdf", 2): "same", ("y.pdf", 1): "a b d"}
TRUTH: Run = {("x.pdf", 1): "one two", ("y.pdf", 1): "a b d"}


class TestCompareRuns:
    def test_judges_by_truth_the_worst_first(self) -> None:
        changes = compare(BEFORE, AFTER, TRUTH)
        assert [change.key for change in changes] == [("x.pdf", 1), ("y.pdf", 1)]
        assert changes[0].scores == ((1, 1), (0, 0))
        assert changes[1].scores == ((pytest.approx(2 / 3), pytest.approx(2 / 3)), (1, 1))

    def test_truth_by_the_end_of_the_path(self) -> None:
        before = {(f"/some/where/{file}", page): text for (file, page), text in BEFORE.items()}
        after = {(f"/some/where/{file}", page): text for (file, page), text in AFTER.items()}
        assert [change.gain < 0 for change in compare(before, after, TRUTH)] == [True, False]

    def test_as_a_process(self, tmp_path: Path) -> None:
        paths = []
        for name, run in (("before", BEFORE), ("after", AFTER), ("truth", TRUTH)):
            path = tmp_path / f"{name}.jsonl"
            rows = [{"file": file, "page": page, "text": text} for (file, page), text in run.items()]
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            paths.append(path)
        script = "scripts/compare_runs.py"
        worse = run_python(script, paths[0], paths[1], "--truth", paths[2], "--show", "1")
        assert worse.returncode == 1
        assert worse.stdout.endswith("2 of 3 pages changed; judged 2: 1 better, 1 worse\n")
        assert "-one two\n+onetwo" in worse.stdout
        same = run_python(script, paths[0], paths[0])
        assert (same.returncode, same.stdout) == (0, "\n0 of 3 pages changed; judged 0: 0 better, 0 worse\n")

    def test_the_working_tree_over_files(self, samples: Path, tmp_path: Path) -> None:
        before = tmp_path / "before.jsonl"
        file = samples / "greek.pdf"
        before.write_text(json.dumps({"file": str(file), "page": 1, "text": text_of(file)}))
        done = run_python("scripts/compare_runs.py", before, ".", "--files", file)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("\n0 of 1 pages changed")


def test_bench_measures_ours_and_a_peer_in_one_run(samples: Path) -> None:
    arguments = ["scripts/bench.py", "extract", samples, "--engines", "ours,pypdf", "--repeats", "1"]
    table = run_python(*arguments)
    assert table.returncode == 0, table.stderr
    header, *rows = table.stdout.splitlines()
    assert header.split() == ["file", "pages", "ours", "pypdf", "ours/pypdf"]
    assert [row.split()[0] for row in rows[:5]] == sorted(SAMPLES)
    assert "geometric mean" in table.stdout
    lines = run_python(*arguments, "--json").stdout.splitlines()
    assert [sorted(json.loads(line)["ms_per_page"]) for line in lines] == [["ours", "pypdf"]] * 5


def test_bench_of_an_index_builds_and_searches_with_every_engine(samples: Path, tmp_path: Path) -> None:
    assert run_glyphdex("ingest", samples, "--store", tmp_path / "store", "--workers", "1").returncode == 0
    done = run_python("scripts/bench.py", "index", tmp_path / "store", "lighthouse", "zyzzyva", "light*")
    assert done.returncode == 0, done.stderr
    lines = [
        line for line in done.stdout.splitlines() if line and not line.endswith(": not installed, left out")
    ]
    header = next(number for number, line in enumerate(lines) if line.startswith("query"))
    built = {line[:12].strip(): line[12:].split() for line in lines[1:header]}
    assert {"ours", "whoosh", "sqlite fts5"} <= set(built)
    assert {cells[0] for cells in built.values()} == {"7"}
    found = {line.split()[0]: line.split()[2::2] for line in lines[header + 1 :]}
    assert found == {
        "lighthouse": ["1"] * len(built),
        "zyzzyva": ["0"] * len(built),
        "light*": ["1"] * len(built),
    }


def test_bench_of_whole_runs_changes_copies_only(samples: Path) -> None:
    before = {path: path.read_bytes() for path in samples.rglob("*.pdf")}
    done = run_python("scripts/bench.py", "ingest", samples, "--workers", "1")
    assert done.returncode == 0, done.stderr
    head, *rows = [line.split() for line in done.stdout.splitlines()]
    assert head[:3] == ["run", "exit", "pages"]
    assert [row[0] for row in rows] == ["cold", "unchanged", "1"]
    assert rows[1][2] == "0"
    assert int(rows[0][2]) >= 5
    assert rows[2][:2] == ["1", "changed"]
    assert 0 < int(rows[2][3]) < int(rows[0][2])
    assert all(50 < int(row[-5]) < 5000 for row in rows)
    assert {path: path.read_bytes() for path in samples.rglob("*.pdf")} == before


def test_bench_names_what_an_engine_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    done = run_python("scripts/bench.py", "extract", tmp_path, "--engines", "ours", "--repeats", "1")
    assert done.returncode == 0
    assert "broken.pdf: ours: " in done.stderr


def test_show_page_draws_every_painted_glyph(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.png"
    done = run_python("scripts/show_page.py", samples / "form-and-slug.pdf", "1", out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"\x89PNG")
    drawn = {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines()}
    with extractor.open_document(samples / "form-and-slug.pdf") as document:
        counts = document[0].counts
    assert drawn == {"kept": counts.visible, "off_page": counts.off_page}
    assert run_python("scripts/show_page.py", samples / "greek.pdf", "7", out).returncode == 1


def test_no_script_needs_the_folder_it_is_called_from(samples: Path, tmp_path: Path) -> None:
    script = Path(os.path.relpath("scripts/bench.py", tmp_path))
    done = run_python(script, "extract", samples, "--engines", "ours", "--repeats", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
