#!/usr/bin/env python3
"""time_of_pass.py OPT PIPELINE PASS FEW MANY: how much longer PASS takes for a loop of MANY stores than for one of FEW."""
import re
import subprocess
import sys


def loop_of(stores):
    lines = ["define void @f(ptr %data) {", "entry:", "  br label %loop", "loop:",
             "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]", "  %at = getelementptr i32, ptr %data, i64 %i",
             "  %value = load i32, ptr %at"]
    for number in range(stores):
        lines += [f"  %at.{number} = getelementptr i32, ptr %at, i64 {1000 * number + 1}",
                  f"  store i32 %value, ptr %at.{number}"]
    lines += ["  %next = add nuw nsw i64 %i, 1", "  %done = icmp eq i64 %next, 1000",
              "  br i1 %done, label %end, label %loop", "end:", "  ret void", "}"]
    return "\n".join(lines) + "\n"


def seconds(opt, pipeline, name, stores):
    report = subprocess.run([opt, f"-passes={pipeline}", "-time-passes", "-disable-output"], input=loop_of(stores),
                            capture_output=True, text=True, check=True).stderr
    return float(re.search(rf"^\s*([0-9.]+) .*{name}$", report, re.MULTILINE).group(1))


def main():
    opt, pipeline, name, few, many = sys.argv[1:]
    times = {stores: min(seconds(opt, pipeline, name, stores) for _ in range(3)) for stores in (int(few), int(many))}
    ratio = times[int(many)] / times[int(few)]
    print(f"{name}: {times} seconds, {ratio:.1f} times;", "more than 8 times" if ratio > 8 else "in proportion, nearly")


if __name__ == "__main__":
    main()
