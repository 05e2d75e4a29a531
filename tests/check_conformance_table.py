#!/usr/bin/env python3
"""Checks tools/conformance-table: what it makes of logs of each kind, and that it refuses what it cannot read.

Usage: tests/check_conformance_table.py
"""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parent.parent / "tools" / "conformance-table"
LOGS = {
    "test_queue.CPU.log": "...\ntest cases:   38 |   37 passed | 1 skipped\nassertions: 2815 | 2815 passed\n\nrc 0\n",
    "test_queue.CUDA.log": "All tests passed (2816 assertions in 38 test cases)\n\nrc 0\n",
    "test_id.CPU.log": "test cases: 7 | 5 passed | 1 failed | 1 failed as expected\nassertions: 9 | 8 passed | 1 failed\nrc 1\n",
    "test_buffer.CPU.log": "half a line\nrc 139\n",
    "test_buffer.CUDA.log": "All tests passed (1 assertion in 1 test case)\nrc 134\n",
    "test_usm.CPU.log": "rc 124",
    "test_math.CPU.0.log": "All tests passed (9 assertions in 2 test cases)\nrc 0\n",
    "test_math.CPU.1.log": "test cases: 3 | 1 passed | 1 failed | 1 skipped\nrc 1\n",
    "test_math.CUDA.0.log": "All tests passed (9 assertions in 4 test cases)\nrc 0\n",
    "test_math.CUDA.1.log": "rc 124",
    "test_usm.CUDA.log": "test cases: 4 | 4 skipped\nassertions: - none -\n\nrc 4\n".replace("rc 4", "rc 0"),
}
EXPECTED = """\
the suite, Falx abc, 2026-01-02; passed / skipped / failed:

| category | cases | CPU | CUDA |
|---|--:|--:|--:|
| buffer | 1 | **exit status 139** | **1 / 0 / 0, exit status 134** |
| id | 7 | **6 / 0 / 1** |  |
| math | 5 | **3 / 1 / 1** | **time limit** |
| queue | 38 | 37 / 1 / 0 | 38 / 0 / 0 |
| usm | 4 | **time limit** | 0 / 4 / 0 |
| all 5 | 55 | 46 / 2 / 2, 2 did not end | 39 / 4 / 0, 1 did not end |
"""
REFUSED = {
    "test_a.CPU.log": ("All tests passed (1 assertion in 1 test case)\n", "rc N"),
    "test_b.CPU.log": ("nothing\nrc 0\n", "summary is missing"),
    "test_c.CPU.log": ("test cases: 3 | 1 passed\nrc 0\n", "add up"),
    "notes.log": ("rc 0\n", "its name"),
    "test_d.CPU.1.log": ("All tests passed (1 assertion in 1 test case)\nrc 0\n", "a part is missing"),
}


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, "--commit", "abc", "--date", "2026-01-02", "--suite", "the suite", *arguments],
                          capture_output=True, text=True)


def write(folder, logs):
    for name, text in logs.items():
        (folder / name).write_text(text)


def main():
    with tempfile.TemporaryDirectory() as good, tempfile.TemporaryDirectory() as bad:
        good, bad = pathlib.Path(good), pathlib.Path(bad)
        write(good, LOGS)
        printed = run(good)
        assert printed.stdout == EXPECTED, printed.stdout + printed.stderr
        document = good / "document.md"
        document.write_text("before\n<!-- table: conformance -->\nold\n<!-- end of table -->\nafter\n")
        written = run("--document", document, good)
        assert written.returncode == 0, written.stderr
        assert document.read_text() == f"before\n<!-- table: conformance -->\n{EXPECTED}<!-- end of table -->\nafter\n"
        write(bad, {name: text for name, (text, why) in REFUSED.items()})
        refused = run("--document", document, good, bad)
        assert refused.returncode != 0 and "old" not in document.read_text()
        for name, (text, why) in REFUSED.items():
            assert any(name.removesuffix(".1.log") in line and why in line for line in refused.stderr.splitlines()), (name, refused.stderr)
        twice = run(good, good)
        assert twice.returncode != 0 and "another log" in twice.stderr, twice.stderr


main()
