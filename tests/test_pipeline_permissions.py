"""Files and stores that the permissions keep from us, as any user meets them; root's processes lay its powers down first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.store import live_snapshot, read_rows
from tests.helpers.command import run_glyphdex, run_glyphdex_as_plain_user
from tests.test_pipeline_ingest import faults, hits, pdf, rows_of


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a readable file, one that nobody may read, and a folder that nobody may list."""
    place = tmp_path / "in"
    (place / "closed").mkdir(parents=True)
    (place / "open.pdf").write_bytes(pdf("open text"))
    (place / "secret.pdf").write_bytes(pdf("secret text"))
    (place / "closed" / "inside.pdf").write_bytes(pdf("inside text"))
    (place / "secret.pdf").chmod(0)
    (place / "closed").chmod(0)
    yield place
    (place / "closed").chmod(0o755)
    (place / "secret.pdf").chmod(0o644)


def test_what_may_not_be_read_is_named_and_tried_again_by_every_run(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = run_glyphdex_as_plain_user("ingest", folder, "--store", store, "--json")
    assert done.returncode == 3, done.stderr
    report = json.loads(done.stdout)
    assert report["documents"] == {"found": 2, "ok": 1, "partial": 0, "failed": 1, "pending": 0}
    assert report["reasons"] == {"unreadable": 1}
    assert report["skipped"] == [{"path": f"{folder}/closed", "reason": "unreadable_folder"}]
    (row,) = read_rows(store, live_snapshot(store), "errors")
    assert (Path(row["path"]).name, row["reason"]) == ("secret.pdf", "unreadable")
    assert row["message"] == "no permission to read the file"
    assert "secret.pdf: no permission" in run_glyphdex("errors", store).stdout
    assert hits(store, "secret") == []
    again = run_glyphdex_as_plain_user("ingest", folder, "--store", store, "--json")
    assert json.loads(again.stdout)["plan"]["again"] == 1
    (folder / "secret.pdf").chmod(0o644)
    (folder / "closed").chmod(0o755)
    opened = run_glyphdex_as_plain_user("ingest", folder, "--store", store)
    assert opened.returncode == 0, opened.stderr  # all of it may be read now
    assert hits(store, "text") == [("inside.pdf", 1), ("open.pdf", 1), ("secret.pdf", 1)]
    (folder / "closed").chmod(0)
    closed = run_glyphdex_as_plain_user("ingest", folder, "--store", store)
    assert closed.returncode == 3, closed.stderr
    assert (
        f"1 folders could not be listed, what the store holds of them stays: {folder}/closed" in closed.stderr
    )
    assert "inside.pdf" in rows_of(store)  # a folder that cannot be listed is not an empty one
    assert faults(store) == []


def test_text_of_a_file_that_may_not_be_read(folder: Path) -> None:
    done = run_glyphdex_as_plain_user("text", folder / "secret.pdf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{folder}/secret.pdf: unreadable: no permission to read the file\n"


def test_a_store_without_permission_to_write_is_searched_and_not_changed(tmp_path: Path) -> None:
    source, store = tmp_path / "a.pdf", tmp_path / "store"
    source.write_bytes(pdf("written once"))
    assert run_glyphdex("ingest", source, "--store", store).returncode == 0
    source.write_bytes(pdf("written twice"))
    folders = [store, *(path for path in store.rglob("*") if path.is_dir())]
    files = [path for path in store.rglob("*") if path.is_file()]
    for path in [*files, *folders]:
        path.chmod(0o444 if path in files else 0o555)
    try:
        for command in (
            ["ingest", source, "--store", store],
            ["compact", store],
            ["verify", store, "--repair"],
        ):
            refused = run_glyphdex_as_plain_user(*command)
            assert refused.returncode in (1, 2), command
            assert "permission denied" in refused.stderr, command
            assert len(refused.stderr.splitlines()) == 1, command
        assert run_glyphdex_as_plain_user("verify", store).returncode == 0
        found = run_glyphdex_as_plain_user("search", store, "once")
        assert (found.returncode, found.stderr.count("Traceback")) == (0, 0)
    finally:
        for path in [*folders, *files]:
            path.chmod(0o755)


def test_a_file_that_is_named_and_may_not_be_read_is_a_row_too(folder: Path, tmp_path: Path) -> None:
    done = run_glyphdex_as_plain_user("ingest", folder / "secret.pdf", "--store", tmp_path / "store")
    assert done.returncode == 3, done.stderr
    assert rows_of(tmp_path / "store")["secret.pdf"]["reason"] == "unreadable"


def test_a_named_folder_that_may_not_be_listed_is_no_success(folder: Path, tmp_path: Path) -> None:
    done = run_glyphdex_as_plain_user("ingest", folder / "closed", "--store", tmp_path / "store")
    assert done.returncode == 3, done.stderr
    assert f"could not be listed, what the store holds of them stays: {folder}/closed" in done.stderr


def test_what_was_read_stays_while_its_file_may_not_be_read(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    source.mkdir()
    (source / "a.pdf").write_bytes(pdf("read before"))
    (source / "b.pdf").write_bytes(pdf("always read"))
    (tmp_path / "mount").mkdir()
    (tmp_path / "mount" / "far.pdf").write_bytes(pdf("read from afar"))
    (source / "link.pdf").symlink_to(tmp_path / "mount" / "far.pdf")
    assert run_glyphdex("ingest", source, "--store", store).returncode == 0
    (source / "a.pdf").chmod(0)
    (tmp_path / "mount").rename(tmp_path / "unmounted")
    for _ in range(2):
        done = run_glyphdex_as_plain_user("ingest", source, "--store", store, "--verify", "--json")
        assert done.returncode == 3, done.stderr
        report = json.loads(done.stdout)
        assert report["documents"] == {"found": 3, "ok": 1, "partial": 0, "failed": 2, "pending": 0}
        assert report["reasons"] == {"unreadable": 1, "vanished": 1}
        assert {Path(entry["path"]).name for entry in report["unread"]} == {"a.pdf", "link.pdf"}
        assert report["snapshot"] == 1
        assert f"{source}/a.pdf" in done.stderr
        assert hits(store, "read") == [("a.pdf", 1), ("b.pdf", 1), ("link.pdf", 1)]
        assert faults(store) == []
    (source / "a.pdf").chmod(0o644)
    (tmp_path / "unmounted").rename(tmp_path / "mount")
    assert run_glyphdex_as_plain_user("ingest", source, "--store", store, "--verify").returncode == 0
