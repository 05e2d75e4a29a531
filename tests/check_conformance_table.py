#!/usr/bin/env python3
"""Checks tools/conformance-table: what it makes of logs of each kind, and that it refuses what it cannot read.

Usage: tests/check_conformance_table.py
"""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parent.parent / "tools" / "conformance-table"


def passed(cases):
    return f"All tests passed ({3 * cases} assertions in {cases} test case{'s' if cases != 1 else ''})\n\nrc 0\n"


LOGS = {
    "test_queue.CPU.log": "...\ntest cases:   38 |   37 passed | 1 skipped\nassertions: 2815 | 2815 passed\n\nrc 0\n",
    "test_queue.CUDA.log": passed(38),
    "test_queue.CPU-simd1.log": passed(38),
    "test_queue.CPU-simd32.log": "rc limit\n",
    "test_id.CPU.log": "test cases: 7 | 5 passed | 1 failed | 1 failed as expected\nassertions: 9 | 8 passed | 1 failed\nrc 1\n",
    "test_buffer.CPU.log": "half a line\nrc 139\n",
    "test_buffer.CUDA.log": "All tests passed (1 assertion in 1 test case)\nrc 134\n",
    "test_usm.CPU.log": "rc 124",
    "test_usm.CUDA.log": "test cases: 4 | 4 skipped\nassertions: - none -\n\nrc 4\n",
    # In parts: all there; fewer cases than parts; ended by the limit and not there; broken.
    "test_math.CPU.p0of2.log": passed(2),
    "test_math.CPU.p1of2.log": "test cases: 3 | 1 passed | 1 failed | 1 skipped\nrc 1\n",
    "test_math.CPU-simd1.p0of3.log": passed(1),
    "test_math.CPU-simd1.p1of3.log": "No tests ran\n\nrc 2\n",
    "test_math.CPU-simd1.p2of3.log": "test cases: 1 | 1 skipped\nassertions: - none -\nrc 4\n",
    "test_math.CPU-simd32.p0of4.log": passed(4),
    "test_math.CPU-simd32.p1of4.log": "rc limit",
    "test_math.CPU-simd32.p3of4.log": "terminate\nrc 134",
    "test_vec.CPU.p0of8.log": passed(4),
    "test_vec.CPU.p7of8.log": "rc limit",
    "test_stream.CPU.log": "No tests ran\nrc 2\n",
}
EXPECTED = """\
the suite, Falx abc, 2026-01-02; passed / skipped / failed:

| category | cases | CPU | CPU, sub-groups of 1 | CPU, sub-groups of 32 | CUDA |
|---|--:|--:|--:|--:|--:|
| buffer | 1 | **exit status 139** |  |  | **1 / 0 / 0, exit status 134** |
| id | 7 | **6 / 0 / 1** |  |  |  |
| math | 5 | **3 / 1 / 1** | 1 / 1 / 0 | **4 / 0 / 0, time limit in 1 of 4 parts, 1 of 4 parts missing, exit status 134 of part 3** |  |
| queue | 38 | 37 / 1 / 0 | 38 / 0 / 0 | **time limit** | 38 / 0 / 0 |
| stream | 0 | **0 / 0 / 0, exit status 2** |  |  |  |
| usm | 4 | **time limit** |  |  | 0 / 4 / 0 |
| vec | ≥ 4 | **4 / 0 / 0, time limit in 1 of 8 parts, 6 of 8 parts missing** |  |  |  |
| all 7 | ≥ 59 | 50 / 2 / 2, 4 did not end | 39 / 1 / 0 | 4 / 0 / 0, 2 did not end | 39 / 4 / 0, 1 did not end |
"""
# A later folder: what ended instead of what had not; what had is not lost; other parts, that are whole or less far.
LATER = {
    "test_usm.CPU.log": passed(4),
    "test_queue.CPU.log": "rc limit\n",
    "test_math.CPU-simd32.p0of2.log": passed(3),
    "test_math.CPU-simd32.p1of2.log": passed(2),
    "test_math.CPU.p0of9.log": passed(5),
    "test_vec.CPU.p3of8.log": passed(3),
}
EXPECTED_LATER = """\
| math | 5 | **3 / 1 / 1** | 1 / 1 / 0 | 5 / 0 / 0 |  |
| queue | 38 | 37 / 1 / 0 | 38 / 0 / 0 | **time limit** | 38 / 0 / 0 |
| stream | 0 | **0 / 0 / 0, exit status 2** |  |  |  |
| usm | 4 | 4 / 0 / 0 |  |  | 0 / 4 / 0 |
| vec | ≥ 7 | **7 / 0 / 0, time limit in 1 of 8 parts, 5 of 8 parts missing** |  |  |  |
"""
REFUSED = {
    "test_a.CPU.log": ("All tests passed (1 assertion in 1 test case)\n", "rc N"),
    "test_b.CPU.log": ("nothing\nrc 0\n", "summary is missing"),
    "test_c.CPU.log": ("test cases: 3 | 1 passed\nrc 0\n", "add up"),
    "notes.log": ("rc 0\n", "its name"),
    "test_d.CPU.1.log": (passed(1), "its name"),
    "test_e.CPU.p2of2.log": (passed(1), "numbered from 0"),
}


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, "--commit", "abc", "--date", "2026-01-02", "--suite", "the suite", *arguments],
                          capture_output=True, text=True)


def write(folder, logs):
    for name, text in logs.items():
        (folder / name).write_text(text)


def main():
    with tempfile.TemporaryDirectory() as good, tempfile.TemporaryDirectory() as later, tempfile.TemporaryDirectory() as bad:
        good, later, bad = pathlib.Path(good), pathlib.Path(later), pathlib.Path(bad)
        write(good, LOGS)
        printed = run(good)
        assert printed.stdout == EXPECTED, printed.stdout + printed.stderr
        document = good / "document.md"
        document.write_text("before\n<!-- table: conformance -->\nold\n<!-- end of table -->\nafter\n")
        written = run("--document", document, good)
        assert written.returncode == 0, written.stderr
        assert document.read_text() == f"before\n<!-- table: conformance -->\n{EXPECTED}<!-- end of table -->\nafter\n"
        write(later, LATER)
        both = run(good, later)
        assert EXPECTED_LATER in both.stdout, both.stdout + both.stderr
        document.write_text("<!-- table: conformance -->\nold\n<!-- end of table -->\n")
        write(bad, {name: text for name, (text, why) in REFUSED.items()})
        refused = run("--document", document, good, bad)
        assert refused.returncode != 0 and "old" in document.read_text()
        for name, (text, why) in REFUSED.items():
            assert any(name in line and why in line for line in refused.stderr.splitlines()), (name, refused.stderr)


main()
