"""Runs random functions with quotients as shared_divisors.cpp makes them on the host, beside what they were.

Usage: run_shared_divisors.py DIRECTORY [FUNCTIONS [SEED]]

A function reads and writes one array, in a loop in a loop or in none, and calls something that changes the array.
"""
import random
import sys

from shared_divisors_on_host import for_host, run, share_divisors

ELEMENTS = 16


class Writer:
    """One function of numbers of type_name."""

    def __init__(self, name, type_name, choose):
        self.name, self.type, self.choose = name, type_name, choose
        self.lines, self.count = [], 0

    def add(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def address(self, index=None):
        """Of an element that is known, or that the counter of a loop decides."""
        if index is None or self.choose.random() < 0.5:
            return self.add(f"getelementptr {self.type}, ptr %p, i64 {self.choose.randrange(ELEMENTS)}")
        wide = self.add(f"zext i32 {index} to i64")
        return self.add(f"getelementptr {self.type}, ptr %p, i64 {wide}")

    def block(self, values, divisors, index, steps):
        """Appends operations on values, and on what they make."""
        values = list(values)
        for _ in range(steps):
            a, b = self.choose.choice(values[-6:]), self.choose.choice(values)
            kind = self.choose.random()
            if kind < 0.35:
                values.append(self.add(f"fdiv {self.type} {a}, {self.choose.choice(divisors)}"))
            elif kind < 0.55:
                values.append(self.add(f"load {self.type}, ptr {self.address(index)}"))
            elif kind < 0.65:
                self.lines.append(f"  store {self.type} {a}, ptr {self.address(index)}")
            elif kind < 0.67:
                self.lines.append(f"  call void @change_{self.type}(ptr %p)")
            else:
                values.append(self.add(f"{self.choose.choice(['fadd', 'fsub', 'fmul'])} {self.type} {a}, {b}"))
        self.lines.append(f"  store {self.type} {values[-1]}, ptr {self.address(index)}")
        return values

    def text(self):
        self.lines = [f"define void @{self.name}(ptr %p, {self.type} %m, {self.type} %n, i32 %rounds) {{", "entry:"]
        load = f"load {self.type}, ptr %p"
        first = self.add(load)
        own = self.add(f"fadd {self.type} {first}, %n")
        divisors = ["%n", "%n", "%m", own, "3.0", "-5.0"]
        before = self.block([first, own, "%m"], divisors, None, self.choose.randrange(4, 20))
        if self.choose.random() < 0.7:
            nested = self.choose.random() < 0.5
            self.lines.append("  br label %outer\nouter:\n  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]")
            inside = self.block(before, divisors + [before[-1]], "%i", self.choose.randrange(2, 12))
            if nested:
                self.lines.append("  br label %inner\ninner:\n  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]")
                self.block(inside, divisors + [inside[-1]], "%j", self.choose.randrange(6, 30))
                self.lines.append("  %j.next = add i32 %j, 1\n  %j.more = icmp ult i32 %j.next, %rounds")
                self.lines.append("  br i1 %j.more, label %inner, label %latch")
            else:
                self.lines.append("  br label %latch")
            self.lines.append("latch:\n  %i.next = add i32 %i, 1\n  %i.more = icmp ult i32 %i.next, %rounds")
            self.lines.append("  br i1 %i.more, label %outer, label %end\nend:")
        return "\n".join(self.lines + ["  ret void", "}", ""])


def main():
    directory = sys.argv[1]
    functions, seed = [int(given) for given in (sys.argv[2:] + ["60", "1"][len(sys.argv[2:]):])]
    choose = random.Random(seed)
    text, calls = "declare void @change_float(ptr)\ndeclare void @change_double(ptr)\n", ""
    for number in range(functions):
        type_name = choose.choice(["float", "double"])
        text += Writer(f"f{number}", type_name, choose).text()
        calls += f"FUNCTION({number}, {type_name})\n"
    made = share_divisors(text)
    if made.count("rcp.approx") < functions / 2:
        sys.exit("few reciprocals are shared")
    run(directory, "run_shared_divisors.cpp", {"plain.ll": text, "made.ll": for_host(made).replace("@f", "@made_"),
                                               "functions.inc": calls})


main()
