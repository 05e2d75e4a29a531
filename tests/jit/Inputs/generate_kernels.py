"""Random legal kernels as C++ for run_generated_kernels.cpp: generate_kernels.py <seed> <first> <count>.

Each kernel computes on variables of all arithmetic types, vectors and arrays (some of them large) in nested control flow: conditionals, loops
with breaks and continues, switches, early returns, loops with two entries. Control is the same for a group (level 0),
for a sub-group (level 1), or different for work-items (level 2); barriers and local memory are used in level 0, what
sub-groups do together up to level 1, and what some of their members do in between (generate_group_functions.py has the functions
of groups). Some write what they
captured. Some wait at asynchronous barriers (generate_async_barriers.py), some call mathematical functions (generate_math.py). Atomic operations commute. There is no undefined behaviour: integers are combined
as unsigned, shifts and indices are masked, divisors are not zero, floats are brought into range before they become
integers. What a kernel computes does not depend on the order of work-items."""
import random
import sys

import generate_async_barriers
import generate_group_functions
import generate_math
from generate_captured_state import CapturedState

INTEGERS = ["bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
FLOATS = ["half", "float", "double"]
VECTORS = [("float", 2), ("float", 3), ("float", 4), ("unsigned", 2), ("unsigned", 3), ("unsigned", 4), ("double", 2)]
ARRAYS = {"array": ("int", 8), "small": ("unsigned char", 16), "wide": ("double", 4)}
LARGE_ARRAYS = {"large": ("int", 5000), "huge": ("unsigned char", 60000)}  # all lanes' copies have no room on a small stack
WIDTHS = [8, 4, 16, 2, 8, 32, 4, 16, 8, 4, 64]  # of sub-groups, by the kernel's number
REDUCTIONS = ([(f"{op}_{sign}{bits}", f"{'unsigned ' if sign == 'u' else ''}{'int' if bits == 32 else 'long'}")
               for bits in (32, 64) for op, sign in [("add", "u"), ("min", "s"), ("max", "s"), ("min", "u"), ("max", "u"),
                                                     ("and", "u"), ("or", "u"), ("xor", "u")]] +
              [(f"{op}_f{bits}", kind) for bits, kind in ((32, "float"), (64, "double")) for op in ("add", "min", "max")])


class Kernel(CapturedState):
    """\\p removed: numbers of statements that are left out, to make a failing kernel smaller."""

    def __init__(self, seed, number, removed=()):
        self.rng = rng = random.Random(f"{seed}/{number}")
        self.seed, self.number = seed, number
        self.removed = removed
        self.statements = 0
        self.lines = []
        self.depth = 1
        self.is_range = rng.random() < 0.25
        self.variables = []  # (name, type)
        self.vectors = []  # (name, element, size)
        self.records = []
        self.pointers = []  # to 4 ints
        self.uniforms = ["a.count"] if self.is_range else ["a.count", "long(group_linear())"]
        self.sub_uniforms = []
        self.loops = []  # (may lanes leave one by one, level of the body), innermost last
        self.level = 0
        self.names = 0
        self.has_barriers = not self.is_range and rng.random() < 0.5
        self.has_sub_groups = not self.is_range and rng.random() < 0.6
        self.arrays = [name for name in ARRAYS if rng.random() < 0.3]
        self.choose_captured_state(seed)
        self.arrays += [name for name in LARGE_ARRAYS if rng.random() < 0.04]
        self.width = WIDTHS[number % len(WIDTHS)]
        self.async_barriers = generate_async_barriers.AsyncBarriers(self)
        self.math = generate_math.Math(self)
        # Machine code takes most of the time, so most kernels are small, and all that have to split vectors often.
        self.budget = rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, 25]) // (1 if self.width <= 16 else 4) + 1

    @staticmethod
    def array(name):
        """Its type and size."""
        return ARRAYS.get(name) or LARGE_ARRAYS[name]

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def kind(self):
        return self.rng.choice(INTEGERS + FLOATS)

    def memory(self, depth):
        rng = self.rng
        choice = rng.random()
        if choice < 0.3:
            step, start = rng.choice([1, 1, 2, 3, 4, 6, 8, -1, -2, -3]), rng.randint(0, 4)
            if step < 0 and rng.random() < 0.7:
                start = f"{-step} * int(a.total)"
            at = f"(global_linear() * {step} + {start})"
            return f"({at} >= 0 && {at} < a.total ? a.in[{at}] : {rng.randint(0, 9)})"
        if choice < 0.38:
            number, mask = "unsigned(global_linear())", rng.choice([1, 2, 3, 7])
            at = rng.choice([f"({number} ^ {mask}u)", f"({number} >> {rng.randint(1, 3)})", f"({number} & ~{mask}u)",
                             f"(({number} & ~{mask}u) * 2 + ({number} & {mask}u))", f"({number} - unsigned(a.count))",
                             f"(({number} + {rng.randint(0, 40)}u) & (unsigned(a.total) - 1u))",
                             f"((int(global_linear()) + {rng.randint(0, 40)}) & ring_of(a.total))"])
            return f"({at} < a.total ? a.in[{at}] : {rng.randint(0, 9)})"
        if choice < 0.5:
            return f"a.records[{self.index(depth, 'a.total')}].{rng.choice('xyztw')}"
        if choice < 0.6:
            return f"a.records[global_linear()].{rng.choice('xyztw')}"
        if choice < 0.66:
            return f"a.out_records[global_linear()].{rng.choice('yztw')}"
        if choice < 0.72:
            return f"a.exchanged[global_linear() * 8 + {rng.randrange(8)}]"
        if choice < 0.76:  # some of the elements of a structure, with gaps
            step, factors = rng.choice([-4, -2, 2, 3, 4, 5, 8]), rng.sample(range(8), rng.randint(2, 3))
            first = f"(global_linear() * {step} + {8 if step > 0 else -step} * int({0 if step > 0 else 'a.total'}))"
            inside = f"({first} >= 0 && {first} + 8 < int(a.total))"
            return f"({inside} ? {' + '.join(f'a.in[{first} + {at}]' for at in factors)} : 1)"
        return f"a.{rng.choice(['in', 'doubles', 'bytes'])}[{self.index(depth, 'a.total')}]"

    def index(self, depth, size):
        """An expression for a number below \\p size that differs between work-items."""
        how = "wrapped" if self.rng.random() < 0.15 else "index"
        return f"{how}({self.value(depth)}, {size})"

    def value(self, depth=0):
        """An expression of any arithmetic type that differs between work-items."""
        rng = self.rng
        if self.writes_captures and rng.random() < 0.15:
            return self.captured_value(depth)
        choice = rng.random()
        if depth > 2 or choice < 0.35:
            return rng.choice(self.variables)[0]
        if choice < 0.43:
            return f"{rng.choice(['int', 'long', 'float', 'short'])}({rng.randint(-9, 100)})"
        if choice < 0.48:
            return rng.choice(["linear_id()", "global_linear()", "column()", "row()"] + self.uniforms + self.sub_uniforms)
        if choice < 0.58:
            return self.memory(depth + 1)
        if choice < 0.63 and self.arrays:
            name = rng.choice(self.arrays)
            return f"{name}[{self.index(depth + 1, self.array(name)[1])}]"
        if choice < 0.67 and self.vectors:
            name, element, size = rng.choice(self.vectors)
            if element == "unsigned" and rng.random() < 0.4:
                return rng.choice([f"part<{size}>({name}, {rng.randrange(4 * size)})", f"parts<{size}>({name})", f"__builtin_reduce_add({name})",
                                   f"__builtin_reduce_max({name})", f"__builtin_reduce_xor({name})"])
            if rng.random() < 0.5:
                return f"{name}.{'xyzw'[rng.randrange(size)]}"
            return f"element<{size}>({name}, {self.value(depth + 1)})"
        if choice < 0.69 and self.records:
            return f"{rng.choice(self.records)}.{rng.choice('xyztw')}"
        if choice < 0.73:
            return f"({self.condition(depth + 1)} ? number({self.value(depth + 1)}) : number({self.value(depth + 1)}))"
        if choice < 0.8:
            return f"convert<{self.kind()}>({self.value(depth + 1)})"
        if choice < 0.82 and self.pointers:
            return f"{rng.choice(self.pointers)}[{self.index(depth + 1, 4)}]"
        if choice < 0.83:
            return self.place_in_rows()
        operation = rng.choice(["sum", "difference", "product", "quotient", "remainder", "shifted", "bits", "mixed",
                                "smaller", "rotated", "root", "divided", "signed_divided", "counted", "swapped", "high", "rounded", "fused", "signed_as",
                                "modulo"])
        return f"{operation}({self.value(depth + 1)}, {self.value(depth + 1)})"

    def rows_of_memory(self):
        """Sums of elements in rows and columns of ids, divided by a width that is captured or constant: lanes of one row
        together. Random numbers of its own, so that the rest of a kernel stays the same."""
        rng = random.Random(f"rows of {self.seed}/{self.number}")
        if rng.random() < 0.7:
            return
        kind = rng.choice(["int", "int", "unsigned", "long", "unsigned long"])
        extra = rng.choice([1, 7, 13, 20, 40, 90])
        number = f"({kind})(global_linear() - {rng.choice([0, 0, 0, 9])})"
        width = f"({kind})({'' if rng.random() < 0.3 else rng.choice(['a.count + ', '5 * a.count + '])}{extra})"
        outer = f"({kind})({rng.choice(['a.count + 2', '3', '70'])})"
        self.emit(f"const {kind} id = {number}, length = {width}, in_row = id % length, of_row = id / length;")
        self.emit(f"const {kind} plane = of_row / {outer}, in_plane = of_row % {outer};")
        places = ["of_row * length + in_row + {k}", "in_row + {k}", "of_row + {k}", "of_row * 3 + in_row - {k}",
                  "in_plane + in_row", "plane + in_plane + in_row * 2", "id - of_row * length"]
        counter = rng.random() < 0.7
        if counter:
            self.emit(f"for ({kind} k = 0; k < ({kind})({rng.choice(['a.count', 'a.count + 3', '4'])}); ++k) {{")
        for _ in range(rng.randint(1, 4)):
            at = rng.choice(places).format(k="k" if counter else rng.randint(0, 3))
            element = f"{rng.choice(['a.in', 'a.bytes', 'a.doubles'])}[{at}]"
            if rng.random() < 0.3:
                self.emit(f"  if (long({at}) == global_linear()) a.out[{at}] = int(word(x)) + 3;")
            self.emit(f"  if (long({at}) >= 0 && long({at}) < a.total) x = convert<int>(mixed(x, {element}));")
        if counter:
            self.emit("}")

    def quotients_by_one(self):
        """Quotients and rests of numbers of all lengths by one that all work-items share, captured or constant. Random
        numbers of its own, as above."""
        rng = random.Random(f"quotients of {self.seed}/{self.number}")
        if rng.random() < 0.7:
            return
        kind = rng.choice(["int", "unsigned", "long", "unsigned long", "short", "unsigned char"])
        is_signed = kind in ("int", "long", "short")
        divisors = ["a.count + 5", "a.count * 3 + 11", "1000", "7"]
        if "long" in kind:
            divisors += ["10000000019", "(1l << 45) + 7", "long(a.count + 3) << 40", "(3l << 60) + 1"]
        divisor = f"({kind})({rng.choice(divisors)})"
        if is_signed and rng.random() < 0.3:
            divisor = f"({kind})-{divisor}"
        number = rng.choice(["word(x) << (word(y) & 31)", "word(x) * word(y)", "word(x) & 0xfffff", "global_linear() - 20",
                             "a.bytes[global_linear()]", "a.in[global_linear()]", "word(x) << 44"])
        self.emit("{")
        self.emit(f"const {kind} one = {divisor};")
        loops = rng.random() < 0.4
        if loops:
            self.emit(f"for (int k = 0; k < a.count; ++k) {{")
        elif rng.random() < 0.4:
            self.emit("if (x & 1) {")
        else:
            self.emit("{")
        self.emit(f"  const {kind} number = ({kind})(({kind})({number}){' + k' if loops and kind[0] == 'u' else ''});")
        result = rng.choice(["number / one", "number % one", "(number / one) ^ (number % one)"])
        self.emit(f"  x = convert<int>(mixed(x, {result}));")
        self.emit("}")
        self.emit("}")

    def rows_of_items(self):
        """Each work-item goes through a row of its own, anywhere in memory, as far as all others do: lanes load several
        elements at once. Random numbers of its own, as above."""
        rng = random.Random(f"rows of items of {self.seed}/{self.number}")
        if rng.random() < 0.7:
            return
        kind = rng.choice(["int", "int", "unsigned", "long", "unsigned long"])
        bound = rng.choice(["a.count", "a.count * 3 + 1", "a.count + 8", "11", "24", "5"])
        spread = rng.choice(["global_linear() * 7", "global_linear() * long(a.count + 3)", "a.in[global_linear()]", "linear_id() * linear_id()"])
        self.emit("{")
        self.emit(f"const {kind} length = ({kind})({bound}), first = ({kind})index({spread}, a.total);")
        condition = rng.choice(["", "", "", "if (a.in[global_linear()] & 1) ", "if (a.count & 1) "])
        # Anywhere, or a constant distance apart.
        distance = rng.choice([0, 0, 2, 5, 8, 12, 32])
        self.emit(f"{condition}if (length + {5 + 15 * distance} < ({kind})a.total) {{")
        if distance:
            self.emit(f"  const {kind} start = ({kind})(linear_id() & {rng.choice([7, 15])}) * {distance} + ({kind})(a.count & 3);")
        else:
            self.emit(f"  const {kind} start = first % ({kind})(({kind})a.total - length - 1);")
        if rng.random() < 0.3:
            self.emit("  x = convert<int>(mixed(x, mixed(a.records[start].x, a.records[start].y)));")
        down = rng.random() < 0.2
        self.emit(f"  for ({kind} k = 0; k < length; ++k) {{")
        place = "start + (length - 1 - k)" if down else "start + k"
        arrays = rng.sample(["a.in", "a.bytes", "a.doubles"], rng.randint(1, 2))
        for name in arrays:
            self.emit(f"    x = convert<int>(mixed(x, {name}[{place}]));")
        if rng.random() < 0.3:
            self.emit(f"    y += float({arrays[0]}[{place} + 1]) * float(k);")
        if rng.random() < 0.2:
            self.emit("    a.exchanged[global_linear() * 8 + long(k & 7)] = x;")
        self.emit("  }")
        self.emit("}")
        self.emit("}")

    def left_with(self):
        """Work-items leave a loop one by one, with numbers of 64 bits that may be shown to be small: counters, and what is made
        of them. Random numbers of its own, as above."""
        rng = random.Random(f"left with {self.seed}/{self.number}")
        if rng.random() < 0.7:
            return
        kind = rng.choice(["unsigned long", "long", "long", "unsigned"])
        start = rng.choice(["0", "0", "1", "7", "(1ul << 32) - 20", "-5" if kind == "long" else "3"])
        bound = rng.choice(["40", "17", "a.count", "a.count * 3 + 2", "(1ul << 32) + 9"])
        step = rng.choice(["1", "1", "1", "2", "3"])
        self.emit("{")
        self.emit(f"{kind} n = ({kind})({start}), last = 0, rounds = 0;")
        self.emit(f"unsigned seed = word(x) | 1u;")
        self.emit(f"while (n < ({kind})({bound}) && rounds < 30) {{")
        self.emit("  seed = seed * 1664525u + 1013904223u;")
        self.emit(f"  if (seed >> {rng.choice([28, 29, 30])} == 0) {rng.choice(['break;', '{ last = n; break; }', '{ last = n * 3; break; }'])}")
        if rng.random() < 0.3:
            self.emit(f"  if (a.in[index(long(seed), a.total)] & 1) {{ n += ({kind})2; ++rounds; continue; }}")
        self.emit(f"  n += ({kind})({step});")
        self.emit("  ++rounds;")
        self.emit("}")
        self.emit("x = convert<int>(mixed(x, int(n) ^ int(n >> 16) * 7 ^ int(last) ^ int(rounds)));")
        self.emit("}")

    def uniform_value(self):
        return f"(({self.rng.choice(self.uniforms)} + {self.rng.randint(0, 5)}) & {self.rng.choice([1, 3, 7])})"

    def place_in_rows(self):
        """Rows or columns of numbers that follow each other."""
        rng = self.rng
        kind = rng.choice(["int", "unsigned", "long", "unsigned long", "short", "unsigned char"])
        number = f"{rng.choice(['linear_id()', 'global_linear()'])} * {rng.choice([1, 1, 1, 2, 5])} + {self.uniform_value()}"
        length = f"{self.uniform_value()} + {rng.choice([1, 5, 20, 40, 100])}"
        return f"(({kind})({number} - {rng.choice([0, 0, 9])}) {rng.choice('/%')} ({kind})({length}))"

    def condition(self, depth=0):
        rng = self.rng
        if rng.random() < 0.2:
            return f"{self.uniform_value()} {rng.choice(['<', '==', '!='])} {rng.randint(0, 4)}"
        if rng.random() < 0.15:  # one work-item, or all up to some
            return rng.choice([f"linear_id() {rng.choice(['==', '!=', '<'])} {self.uniform_value()}",
                               f"unsigned(global_linear()) {rng.choice(['<', '>='])} a.total - {rng.randint(1, 40)}u",
                               f"column() > 0 && global_linear() < int(a.total) - {rng.randint(1, 9)}"])
        if rng.random() < 0.3:
            return f"((linear_id() >> {rng.randint(0, 2)}) & {rng.randint(1, 5)}) {rng.choice(['==', '!='])} 0"
        comparison = rng.choice(["<", ">", "<=", "==", "!="])
        return f"number({self.value(depth + 1)}) {comparison} number({self.value(depth + 1)})"

    def level_condition(self, level):
        """One on which all work-items of the group, or of the sub-group, agree, and its level."""
        rng = self.rng
        if level == 2:
            return self.condition()
        if level == 1:
            if self.sub_uniforms and rng.random() < 0.5:
                return f"(long({rng.choice(self.sub_uniforms)}) & {rng.choice([1, 3, 7])}) {rng.choice(['<', '!='])} 1"
            return f"__falx_sub_group_{rng.choice(['any', 'all'])}({self.condition()})"
        return f"{self.uniform_value()} {rng.choice(['<', '>=', '!='])} {rng.randint(0, 5)}"

    def a_level(self):
        """Of a new block: not below that of the current one."""
        levels = [0, 1, 2, 2, 2] if self.has_sub_groups else [0, 2, 2]
        return max(self.level, self.rng.choice(levels))

    def block(self, level, loop=None):
        outer = (list(self.variables), list(self.vectors), list(self.records), list(self.pointers), list(self.uniforms),
                 list(self.sub_uniforms))
        outer_level, self.level = self.level, max(level, self.level)
        self.depth += 1
        if loop is not None:
            self.loops.append((loop, self.level))
        for _ in range(self.rng.randint(1, 4)):
            self.statement()
        if loop is not None:
            self.loops.pop()
        self.depth -= 1
        self.level = outer_level
        self.variables, self.vectors, self.records, self.pointers, self.uniforms, self.sub_uniforms = outer

    def assignment(self):
        name, kind = self.rng.choice(self.variables)
        self.emit(f"{name} = convert<{kind}>({self.value()});")

    def declaration(self):
        kind, name = self.kind(), self.name()
        self.emit(f"{kind} {name} = convert<{kind}>({self.value()});")
        self.variables.append((name, kind))

    def vector(self):
        rng = self.rng
        if not self.vectors or rng.random() < 0.4:
            element, size = rng.choice(VECTORS)
            name = self.name()
            values = ", ".join(f"convert<{element}>({self.value(1)})" for _ in range(size))
            self.emit(f"vector<{element}, {size}> {name} = {{{values}}};")
            self.vectors.append((name, element, size))
            return
        name, element, size = rng.choice(self.vectors)
        if rng.random() < 0.3:
            self.emit(f"{name}[index({self.value(1)}, {size})] = convert<{element}>({self.value(1)});")
        elif rng.random() < 0.5:
            self.emit(f"{name} = {name} * convert<{element}>({self.value(1)}) + {name}.{'yx' * (size // 2)}{'x' * (size % 2)};")
        else:
            self.emit(f"{name}.{'xyzw'[rng.randrange(size)]} = convert<{element}>({self.value(1)});")

    def place(self):
        """The address of 4 ints: of one of several objects, private ones and others."""
        rng = self.rng
        places = [f"(a.exchanged + global_linear() * 8 + {rng.randint(0, 4)})"]
        if "array" in self.arrays:
            places += [f"(array + {self.index(1, 5)})", f"(array + {rng.randint(0, 4)})"]
        if self.writes_captures:
            places.append(self.captured_pointer())
        place = rng.choice(places)
        return f"({self.condition()} ? {place} : {rng.choice(places)})" if rng.random() < 0.5 else place

    def pointer(self):
        """A pointer, or what is written through one."""
        if self.pointers and self.rng.random() < 0.6:
            self.emit(f"{self.rng.choice(self.pointers)}[{self.index(0, 4)}] = convert<int>({self.value()});")
            return
        name = self.name()
        self.emit(f"int* {name} = {self.place()};")
        self.pointers.append(name)

    def large_array(self, name):
        """Elements far from each other, by numbers that differ between work-items."""
        kind, size = LARGE_ARRAYS[name]
        for _ in range(self.rng.randint(1, 3)):
            self.emit(f"{name}[{self.index(1, size)}] = convert<{kind}>({self.value(1)});")

    def structure(self):
        rng = self.rng
        if not self.records or rng.random() < 0.5:
            name = self.name()
            at = rng.choice(["global_linear()", self.index(0, "a.total")])
            self.emit(f"record {name} = a.records[{at}];")
            self.records.append(name)
        elif rng.random() < 0.4:
            # From memory to memory it is a copy of bytes.
            value = rng.choice(self.records) if rng.random() < 0.5 else f"a.records[{self.index(0, 'a.total')}]"
            self.emit(f"a.out_records[global_linear()] = {value};")
        else:
            self.emit(f"{rng.choice(self.records)}.{rng.choice('yztw')} = convert<short>({self.value()});")

    def conditional(self):
        level = self.a_level()
        self.emit(f"if ({self.level_condition(level)}) {{")
        self.block(level)
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.block(level)
        self.emit("}")

    def cheap_number(self):
        """An expression of a variable that takes one or two instructions, without memory or a quotient."""
        rng = self.rng
        name, kind = rng.choice(self.variables)
        if kind in ("float", "half"):
            return rng.choice([f"float({name})", f"(float({name}) * 1.5f + 2.0f)", f"-float({name})"])
        if kind == "double":
            return name
        return rng.choice([f"int({name})", f"(unsigned({name}) * {rng.randint(2, 9)}u)", f"(long({name}) + {rng.randint(1, 9)})",
                           f"(unsigned({name}) ^ {rng.randint(1, 99)}u)"])

    def short_branch(self):
        """Around a few instructions, of which some compare."""
        rng = self.rng
        name, kind = rng.choice(self.variables)
        comparison = f"{self.cheap_number()} {rng.choice(['<', '>', '==', '!='])} {self.cheap_number()}"
        result = f"{name} = convert<{kind}>({rng.choice([self.cheap_number(), f'{comparison}', f'!{name}'])});"
        inner = f"if ({comparison}) {{ {result} }}"
        if rng.random() < 0.3:
            inner = f"if ({self.cheap_number()} > {rng.randint(-9, 9)}) {{ {inner} }}"
        other = rng.choice(["", "", "", f" else {{ {name} = convert<{kind}>({self.cheap_number()} <= {self.cheap_number()}); }}"])
        self.emit(f"if ({self.cheap_number()} {rng.choice(['<', '!='])} {rng.randint(-2, 50)}) {{ {inner} }}{other}")

    def cold_call(self):
        """Behind a test, a function that is called cold, with or without its result."""
        rng = self.rng
        name, kind = rng.choice(self.variables)
        test = f"{self.cheap_number()} {rng.choice(['<', '>', '=='])} {rng.randint(-9, 50)}"
        call = f"complain(a.sums + {self.index(0, 'BANK')}, convert<int>({self.value()}))"
        result = rng.choice([call, f"{name} = convert<{kind}>({call})", f"{name} = convert<{kind}>({call})"])
        other = rng.choice(["", "", f" else {{ {name} = convert<{kind}>({self.cheap_number()}); }}"])
        self.emit(f"if ({test}) {rng.choice(['', '', '[[unlikely]] '])}{{ {result}; }}{other}")

    def guarded_elements(self):
        """Several elements of a work-item, each behind a test against the same bound."""
        rng = self.rng
        count, bound, first = rng.randint(2, 4), self.name(), self.name()
        limit = rng.choice(["a.total", f"a.total - {rng.randint(1, 9)}", "(a.count < a.total ? a.count : a.total)"])
        self.emit(f"const int {bound} = int({limit}), {first} = int(global_linear()) * {rng.choice([count, count, 1, 5])};")
        test = rng.choice(["{first} + {k} < {bound}", "{bound} > {k} + {first}", "{first} + {k} < {bound} && {first} >= {bound} - 90"])
        tests = [test.format(first=first, k=k, bound=bound) for k in range(count)]
        names = [self.name() for _ in range(count)]
        self.emit(f"int {', '.join(f'{name} = {rng.randint(0, 9)}' for name in names)};")
        for k, name in enumerate(names):
            self.emit(f"if ({tests[k]}) {name} = a.in[{first} + {k}];")
            if rng.random() < 0.2:
                self.assignment()
        if rng.random() < 0.7:
            for k, name in enumerate(names):
                self.emit(f"if ({tests[k]}) a.exchanged[global_linear() * 8 + {k}] = {name} + {rng.randint(0, 9)};")
        self.variables += [(name, "int") for name in names]

    def computed_loop(self):
        """Does nothing that a formula, or an instruction that counts bits, would not."""
        rng = self.rng
        name, rest = self.name(), self.name()
        if rng.random() < 0.5:
            self.emit(f"unsigned {name} = unsigned(convert<int>({self.value()})), {rest} = unsigned(convert<int>({self.value()}));")
            times = rng.choice([str(rng.randint(2, 100)), f"index({self.value()}, 50)", self.uniform_value()])
            self.emit(f"for (int k = 0, end = int({times}); k < end; ++k) {name} {rng.choice(['+=', '-='])} {rest};")
        else:
            kind = rng.choice(["unsigned", "unsigned long"])
            self.emit(f"unsigned {name} = {rng.randint(0, 3)};")
            self.emit(f"{kind} {rest} = convert<{rng.choice(['int', 'long'])}>({self.value()});")
            self.emit(rng.choice([f"for (; {rest}; ++{name}) {rest} &= {rest} - 1;", f"while ({rest} >>= 1) ++{name};",
                                  f"while ({rest} != 0) {{ {rest} <<= 1; ++{name}; }}", f"do {rest} &= {rest} - 1, ++{name}; while ({rest});"]))
        self.variables.append((name, "unsigned"))

    def counted_loop(self):
        counter = self.name()
        if self.level == 2 or self.rng.random() < 0.5:
            bound, level = f"index({self.value()}, {self.rng.randint(2, 6)})", 2
        else:
            bound, level = self.uniform_value(), self.level
        # Breaks under divergent conditions make what looks uniform divergent.
        breaks = level == 2 or self.rng.random() < 0.3
        self.emit(f"for (int {counter} = 0, {counter}end = int({bound}); {counter} < {counter}end; ++{counter}) {{")
        kept = list(self.uniforms)
        if level == 0 and not breaks:
            self.uniforms.append(counter)
        self.block(2 if breaks else level, breaks)
        self.uniforms = kept
        self.emit("}")

    def strided_loop(self):
        """Work-items share the numbers below a bound: neighbours take neighbours, and leave one after the other."""
        rng, counter = self.rng, self.name()
        kind = rng.choice(["unsigned", "int", "unsigned long"])
        bound = f"5 * {self.uniform_value()} + {rng.randint(0, 5)}" if rng.random() < 0.8 else f"index({self.value()}, 40)"
        begin = f"linear_id() + {self.uniform_value()} - {rng.choice([0, 0, 0, 3])}"
        self.emit(f"for ({kind} {counter} = ({kind})({begin}), {counter}end = ({kind})({bound}); {counter} < {counter}end; "
                  f"{counter} += {rng.choice([4, 8, 16])}) {{")
        self.emit(f"  x = convert<int>(mixed(x, {counter}));")
        self.block(2, True)
        self.emit("}")

    def row_loop(self):
        """Work-items share a row of memory, from its beginning or from its end: all go on together up to the last iteration."""
        rng, at = self.rng, self.name()
        kind = rng.choice(["int", "unsigned", "long", "unsigned long"])
        step = rng.choice(["1", "4", "8", "16", "16", f"({kind})(a.count * 4)"])
        first = "linear_id()"
        if "unsigned" in kind and rng.random() < 0.3:  # some numbers wrap, and lanes behind those may be below the bound again
            bits = 64 if "long" in kind else 32
            scale = rng.choice([2, 3, (1 << bits - 1) + 1, (1 << bits - 2) + 1, (1 << bits) - 1, (1 << bits - 3) * 3 + 1])
            first = f"({kind})linear_id() * ({kind}){scale}u"
        begin, end = f"{first} + {self.uniform_value()}", f"a.total - {rng.randint(0, 2)}"
        if rng.random() < 0.7:
            test = rng.choice([f"{at} < {at}end", f"{at}end > {at}", f"{at} < {at}end" if "*" in first else f"{at} + 1 <= {at}end"])
            self.emit(f"for ({kind} {at} = ({kind})({begin}), {at}end = ({kind})({end}); {test}; {at} += {step}) {{")
        else:  # unsigned numbers wrap behind 0
            test = f"{at} < ({kind})a.total" if "unsigned" in kind else f"{at} >= 0"
            self.emit(f"for ({kind} {at} = ({kind})({end} - 1 - ({begin})); {test}; {at} -= {step}) {{")
        for _ in range(rng.randint(1, 2)):
            element = rng.choice([f"a.in[{at}]", f"a.bytes[{at}]", f"a.doubles[{at}]", f"a.records[{at}].{rng.choice('xyztw')}",
                                  f"a.in[index(a.in[{at}], a.total)]", f"a.doubles[index(a.bytes[{at}], a.total)]"])
            self.emit(f"  x = convert<int>(mixed(x, {element}));")
        if rng.random() < 0.3:
            self.emit(f"  a.exchanged[global_linear() * 8 + long({at} & 7)] = x;")
        if rng.random() < 0.3:
            self.block(2, True)
        self.emit("}")

    def wandering_loop(self):
        """A pointer goes from one object to the next, as along a list."""
        name, counter = self.name(), self.name()
        self.emit(f"int* {name} = {self.place()};")
        self.emit(f"for (int {counter} = 0, {counter}end = int(index({self.value()}, 6)); {counter} < {counter}end; ++{counter}) {{")
        self.emit(f"  x = convert<int>(mixed(x, {name}[{self.index(1, 4)}]));")
        self.block(2, True)
        self.emit(f"  {name} = {self.place()};")
        self.emit("}")

    def open_loop(self):
        level = 1 if self.has_sub_groups and self.level < 2 and self.rng.random() < 0.4 else 2
        fuel = self.name()
        self.emit(f"int {fuel} = {self.rng.randint(1, 9)};")
        if self.rng.random() < 0.5:
            self.emit(f"while ({fuel}-- > 0 && {self.level_condition(level)}) {{")
            self.block(level, level == 2)
            self.emit("}")
        else:
            self.emit("do {")
            self.block(level, level == 2)
            self.emit(f"}} while (--{fuel} > 0 && {self.level_condition(level)});")

    def graph(self):
        """Blocks that jump to each other: loops of several entries and exits."""
        fuel, end = self.name(), self.name()
        labels = [self.name() for _ in range(self.rng.choice([2, 2, 3, 4]))]
        loops, self.loops = self.loops, []
        self.emit(f"int {fuel} = {self.rng.randint(1, 9)};")
        self.emit(f"if ({self.condition()}) goto {self.rng.choice(labels[1:])};")
        for label in labels:
            self.emit(f"{label}: {{")
            self.block(2)
            self.emit("}")
            self.emit(f"if ({fuel}-- <= 0) goto {end};")
            if self.rng.random() < 0.7:
                self.emit(f"if ({self.condition()}) goto {self.rng.choice(labels)};")
            if self.rng.random() < 0.6:
                self.emit(f"goto {self.rng.choice(labels)};")
        self.emit(f"{end}:;")
        self.loops = loops

    def selection(self):
        uniform = self.rng.random() < 0.3
        level = self.level if uniform else 2
        has_bits = self.rng.random() < 0.2  # cases are powers of two
        bound = 130 if has_bits else self.rng.randint(3, 7)
        chosen = self.uniform_value() if uniform else f"index({self.value()}, {bound})"
        if has_bits and self.rng.random() < 0.5:
            chosen = f"(1 << ({chosen} & 7))"
        cases = self.rng.randint(4, 7) if has_bits else self.rng.randint(1, 4)
        self.emit(f"switch ({chosen}) {{")
        loops, self.loops = self.loops, []
        for case in range(cases):
            self.emit(f"case {1 << case if has_bits else case}: {{")
            self.block(level)
            self.emit("}")
            if self.rng.random() < 0.7:
                self.emit("  break;")
        if self.rng.random() < 0.6:
            self.emit("default: {")
            self.block(level)
            self.emit("}")
        self.emit("}")
        self.loops = loops

    def jump(self):
        rng = self.rng
        if self.loops:
            lanes_part, level = self.loops[-1]
            if lanes_part or level == self.level:
                self.emit(f"if ({self.level_condition(2 if lanes_part else level)}) {rng.choice(['break', 'continue'])};")
                return
        if self.level == 0 and rng.random() < 0.3:
            self.emit(f"if ({self.level_condition(0)}) return;")
        elif not (self.has_barriers or self.has_sub_groups or self.async_barriers.is_used) and rng.random() < 0.5:
            self.emit(f"if ({self.condition()}) return;")
        else:
            self.assignment()

    def barrier(self):
        if not self.has_barriers or self.level > 0:
            return self.assignment()
        name = self.name()
        self.emit("barrier();")
        if self.rng.random() < 0.6:
            self.emit(f"local_ints()[linear_id()] = convert<int>({self.value()});")
            self.emit("barrier();")
            self.emit(f"int {name} = local_ints()[index({self.value()}, group_size())];")
        elif self.rng.random() < 0.5:
            self.butterfly(name)
        else:
            self.emit("for (int i = linear_id(); i < 8; i += group_size()) counters()[i] = 0;")
            self.emit("barrier();")
            self.emit(f"if ({self.condition()}) add_to(counters() + index({self.value()}, 8), convert<int>({self.value()}));")
            self.emit("barrier();")
            self.emit(f"int {name} = counters()[index({self.value()}, 8)];")
        self.variables.append((name, "int"))

    def group_stride_loop(self):
        """The group goes through memory in strides, with barriers on the way: a number or a pointer of each work-item's own
        advances as all others do."""
        rng = self.rng
        if not self.has_barriers or self.level > 0:
            return self.assignment()
        at, rounds, pointer = self.name(), self.name(), self.name()
        kind = rng.choice(["int", "unsigned", "long", "unsigned long"])
        first = rng.choice(["linear_id()", "linear_id()", "global_linear()", f"({rng.randint(2, 90)} - linear_id())", f"index({self.value()}, 900)"])
        begin = f"({kind})({first} {rng.choice(['+', '-'])} {self.uniform_value()})"
        step = rng.choice(["group_size()", "group_size()", "16", f"({self.uniform_value()} + 3)", str(rng.randint(1, 9))])
        change = rng.choice([f"{at} += {step}"] * 4 + [f"{at} -= {step}", f"{at} += {step}, {at} += {self.uniform_value()}", f"{at} *= 3"])
        self.emit(f"const int* {pointer} = a.in + linear_id();")
        if rng.random() < 0.4 and first in ("linear_id()", "global_linear()") and change.startswith(f"{at} +="):
            # As far as the group gets: also numbers behind the end.
            self.emit(f"for ({kind} {at} = ({kind})({first}); {at} - ({kind}){first} < ({kind})(a.total / 2 + {rng.randint(0, 9)}); "
                      f"{at} += ({kind})group_size(), {pointer} += group_size()) {{")
            element = rng.choice([f"({at} < ({kind})a.total ? a.in[{at}] : 3)", f"({at} < ({kind})a.total ? *({pointer} + 0) : 3)" if first == "linear_id()" else "3"])
        else:
            self.emit(f"for ({kind} {at} = {begin}, {rounds} = 0; {rounds} < ({kind})(1 + {self.uniform_value()}); ++{rounds}, {change}) {{")
            element = f"a.in[index({at}, a.total)]"
        copy = self.name()
        self.emit(f"{kind} {copy} = {at};")
        self.variables.append((copy, kind))
        self.emit("barrier();")
        self.emit(f"local_ints()[linear_id()] = convert<int>(mixed({element}, {self.value()}));")
        self.emit("barrier();")
        self.emit(f"x = convert<int>(mixed(x, local_ints()[{rng.choice(['(linear_id() + 1) % group_size()', f'index({at}, group_size())'])}]));")
        self.emit("barrier();")
        if rng.random() < 0.4:
            # A break would be one of the whole group.
            self.block(0, None)
        self.variables.pop()
        self.emit("}")

    def neighbours(self):
        """Elements around one's own, as filters and stencils have them: what is beyond the boundary is clamped, left out,
        replaced, or on the other side."""
        rng = self.rng
        at, n, k, r = self.name(), self.name(), self.name(), self.name()
        kind = rng.choice(["int", "int", "int", "long"])
        own = rng.choice(["global_linear()", "global_linear()", "global_linear()", "linear_id()", f"(global_linear() + {self.uniform_value()})",
                          f"index({self.value()}, a.total)"])
        self.emit(f"const {kind} {at} = {kind}({own}), {n} = {kind}(a.total) > 9 ? {kind}(a.total) - {rng.randint(0, 3)} : {kind}(a.total);")
        self.emit(f"const {kind} {r} = {rng.choice([str(rng.randint(1, 4)), f'{kind}(index({self.uniform_value()}, 6))'])};")
        there = f"{at} {rng.choice(['+', '+', '+', '-'])} {k}"
        element = rng.choice([
            f"a.in[std::min<{kind}>(std::max<{kind}>({there}, {kind}(0)), {n} - 1)]",
            f"a.in[std::max<{kind}>(std::min<{kind}>({there}, {n} - 1), {kind}(0))]",
            f"a.in[{there} < 0 ? {kind}(0) : {there} >= {n} ? {n} - 1 : {there}]",
            f"a.in[({there} + {n} + {n}) % {n}]",
            f"a.in[{there} >= 0 && {there} < {n} ? {there} : {kind}(index({self.uniform_value()}, 1))]",
            f"({there} >= 0 && {there} < {n} ? a.in[{there}] : {rng.choice(['x', '7'])})",
            f"(std::make_unsigned_t<{kind}>({there}) < std::make_unsigned_t<{kind}>({n}) ? a.in[{there}] : x)",
        ])
        mix = f"x = convert<int>(mixed(x, {element}));"
        shape = rng.random()
        if shape < 0.2:
            self.emit(f"for ({kind} {k} = std::max<{kind}>({at} - {r}, {kind}(0)), {k}end = std::min<{kind}>({at} + {r}, {n} - 1); {k} <= {k}end; ++{k}) {{")
            self.emit(f"  x = convert<int>(mixed(x, a.in[{k}]));")
            self.emit("}")
        elif shape < 0.5:
            self.emit(f"for ({kind} {k} = -{r}; {k} <= {r}; {k} += {rng.choice(['1', '1', '2', str(rng.randint(1, 3))])}) {{")
            if rng.random() < 0.5:
                self.emit(f"  if ({there} >= 0 && {there} < {n}) x = convert<int>(mixed(x, a.in[{there}]));")
            else:
                self.emit(f"  {mix}")
            if rng.random() < 0.3:
                self.block(2, True)
            self.emit("}")
        elif shape < 0.7:
            j = self.name()
            self.emit(f"for ({kind} {j} = 0; {j} < {r}; ++{j})")
            self.emit(f"  for ({kind} {k} = {rng.choice(['-1', '0', f'-{j}', j])}; {k} <= {rng.choice(['1', r])}; ++{k}) {{")
            self.emit(f"  {mix}")
            self.emit("}")
        else:
            for step in rng.sample(range(-4, 5), rng.randint(1, 4)):
                self.emit("{")
                self.emit(f"  const {kind} {k} = {step};")
                self.emit(f"  {mix}")
                self.emit("}")

    def butterfly(self, name):
        """Work-items exchange at distances that are powers of two and halve or double from step to step: as sorting
        networks and transforms do, as trees, as scans. Distances begin with a constant, or with what the group knows."""
        rng, by, self_ = self.rng, f"{name}by", f"{name}self"
        self.emit(f"local_ints()[linear_id()] = convert<int>({self.value()});")
        self.emit(f"const unsigned {self_} = unsigned(linear_id());")
        most = 1 << rng.randint(0, 6)
        begin = rng.choice([f"1u << ({rng.choice(self.uniforms)} + {rng.randint(0, 9)}) % 7", f"{most}u", f"{most}u"])
        sizes = rng.random() < 0.25
        if sizes:
            self.emit(f"for (unsigned {name}size = 2; {name}size <= {min(2 * most, 64)}; {name}size *= 2)")
            begin = f"{name}size / 2"
        if rng.random() < 0.7:
            self.emit(f"for (unsigned {by} = {begin}; {by} > 0; {by} /= 2) {{")
        else:
            self.emit(f"for (unsigned {by} = 1; {by} <= ({begin}); {by} *= 2) {{")
        self.emit("  barrier();")
        shape = rng.random()
        if shape < 0.4:
            first = rng.choice([f"2 * {self_} - ({self_} & ({by} - 1))", f"(({self_} & -{by}) << 1) + ({self_} & ({by} - 1))"])
            self.emit(f"  const unsigned {name}low = {first}, {name}high = {name}low + {by};")
            self.emit(f"  if ({name}high < unsigned(group_size())) {{")
            self.emit(f"    const int p = local_ints()[{name}low], q = local_ints()[{name}high];")
            condition = f"({name}low & {name}size) ? q : p" if sizes else "p"
            self.emit(f"    local_ints()[{name}low] = convert<int>({rng.choice(['smaller', 'mixed', 'sum'])}({condition}, q));")
            self.emit(f"    local_ints()[{name}high] = convert<int>({rng.choice(['difference', 'mixed'])}(q, {self.value(1)}));")
            self.emit("  }")
        elif shape < 0.65:
            other = rng.choice([f"{self_} + {by}", f"{self_} + {by}", f"{self_} * 2 + 1"])
            self.emit(f"  const unsigned {name}other = {other};")
            self.emit(f"  if ({self_} < {by} && {name}other >= {by} && {name}other < unsigned(group_size()))")
            self.emit(f"    local_ints()[{self_}] = convert<int>(mixed(local_ints()[{self_}], local_ints()[{name}other]));")
        else:
            other, there = rng.choice([(f"{self_} ^ {by}", f"{name}other < unsigned(group_size())"),
                                       (f"{self_} - {by}", f"{self_} >= {by}")])
            self.emit(f"  const unsigned {name}other = {other};")
            self.emit(f"  const int p = {there} ? local_ints()[{name}other] : {rng.randint(0, 9)};")
            self.emit("  barrier();")
            self.emit(f"  local_ints()[linear_id()] = convert<int>(mixed(p, ({self_} & {by}) ? {self.value(1)} : {self.value(1)}));")
        self.emit("}")
        self.emit("barrier();")
        self.emit(f"int {name} = local_ints()[linear_id()];")

    def atomic(self):
        banks = {"add_to": 0, "flip": 1, "set": 2, "raise": 3, "raise_at_once": 3}
        bank = self.rng.choice(list(banks))
        if self.rng.random() < 0.25:  # one that nobody else touches gives its old value
            name, how = self.name(), self.rng.choice(["fetch_add", "fetch_xor", "exchange_n", "fetch_sub", "fetch_max",
                                                      "fetch_min", "fetch_or", "fetch_and"])
            self.emit(f"int {name} = __atomic_{how}(a.exchanged + global_linear() * 8 + {self.index(0, 8)}, "
                      f"convert<int>({self.value()}), __ATOMIC_RELAXED);")
            self.variables.append((name, "int"))
            return
        self.emit(f"{bank}(a.sums + {banks[bank]} * BANK + {self.index(0, 'BANK')}, unsigned(word({self.value()})));")

    def sub_group(self):
        rng = self.rng
        if not self.has_sub_groups or self.level == 2:
            return self.assignment()
        name = self.name()
        choice = rng.random()
        if choice < 0.25:
            what, kind = rng.choice(REDUCTIONS)
            # Sums of small numbers are exact in any order; there is one zero.
            value = f"convert<{kind}>(convert<short>({self.value()}))" if kind in FLOATS else f"({kind})word({self.value()})"
            constant = rng.random() < 0.5
            self.emit(f"{'const ' if constant else ''}{kind} {name} = __falx_sub_group_reduce_{what}({value});")
            if constant:
                self.sub_uniforms.append(name)
            else:
                self.variables.append((name, kind))
        elif choice < 0.4:
            self.emit(f"const unsigned long {name} = __falx_sub_group_ballot({self.condition()});")
            self.sub_uniforms.append(name)
        elif choice < 0.5:
            self.emit(f"const bool {name} = __falx_sub_group_{rng.choice(['any', 'all'])}({self.condition()});")
            self.sub_uniforms.append(name)
        elif choice < 0.6:
            self.emit(f"const unsigned {name} = __falx_sub_group_shuffle_u32(unsigned(word({self.value()})), "
                      f"unsigned({self.uniform_value()}) % __falx_sub_group_size());")
            self.sub_uniforms.append(name)
        elif choice < 0.85:
            bits = rng.choice([32, 64])
            how = rng.choice(["index", "up", "down", "xor"])
            value = f"(std::uint{bits}_t)word({self.value()})"
            if how == "index":
                source = f"unsigned(index({self.value()}, __falx_sub_group_size()))"
                self.emit(f"unsigned long {name} = __falx_sub_group_shuffle_u{bits}({value}, {source});")
            else:
                by = rng.choice([f"{rng.choice([1, 2, 3, 5])}u", f"unsigned({self.uniform_value()})",
                                 f"unsigned(index({self.value()}, __falx_sub_group_size()))"])
                other = {"up": "-", "down": "+", "xor": "^"}[how]
                self.emit(f"const unsigned {name}by = {by};")
                self.emit(f"unsigned long {name} = __falx_sub_group_shuffle_{how}_u{bits}({value}, {name}by);")
                self.emit(f"if ((__falx_sub_group_local_id() {other} {name}by) >= __falx_sub_group_size()) {name} = 5;")
            self.variables.append((name, "unsigned long"))
        elif choice < 0.93:
            self.exchange(name)
            self.variables.append((name, "int"))
        else:
            self.members(name)
            self.variables.append((name, "unsigned long"))

    def members(self, name):
        """Those for whom a condition holds talk to each other: where the others are elsewhere, or where both parts of the
        sub-group do so at the same place."""
        rng, both = self.rng, self.rng.random() < 0.4
        self.emit(f"const bool {name}is = {self.condition()};")
        self.emit(f"unsigned long {name}all = __falx_sub_group_ballot({name}is);")
        self.emit(f"unsigned long {name} = 0;")
        if both:
            self.emit(f"if (!{name}is) {name}all = ~{name}all & ~0ul >> (64 - __falx_sub_group_size());")
        self.emit(f"{{" if both else f"if ({name}is) {{")
        level = self.level
        self.level = level if both else 2
        before = f"({name}all & ((1ul << __falx_sub_group_local_id()) - 1))"
        for _ in range(rng.randint(1, 3)):
            what = rng.random()
            if what < 0.3:
                self.emit(f"{name} ^= __falx_sub_group_members_ballot({self.condition()}, {name}all) & {name}all;")
            elif what < 0.4:
                self.emit(f"__falx_sub_group_members_barrier({name}all);")
            elif what < 0.5 and not both:
                self.assignment()
            else:
                bits = rng.choice([32, 64])
                source = rng.choice([f"__builtin_ctzll({name}all)", f"63 - __builtin_clzll({name}all)",
                                     f"{before} ? 63 - __builtin_clzll({before}) : __falx_sub_group_local_id()"])
                self.emit(f"{name} = {name} * 3 + __falx_sub_group_members_shuffle_u{bits}((std::uint{bits}_t)word({self.value()}), "
                          f"unsigned({source}), {name}all);")
        self.level = level
        self.emit("}")

    def exchange(self, name):
        """A work-item reads what others of its sub-group wrote: any one, or the next one, whose element is known to be
        apart from its own. Between sub-groups there is an element that nobody writes."""
        if self.rng.random() < 0.5:
            self.emit(f"exchanged()[linear_id()] = convert<int>({self.value()});")
            self.emit("__falx_sub_group_barrier();")
            self.emit(f"int {name} = exchanged()[sub_group_first() + index({self.value()}, __falx_sub_group_size())];")
        else:
            self.emit(f"neighbour()[0] = convert<int>({self.value()});")
            self.emit("__falx_sub_group_barrier();")
            self.emit(f"int {name} = neighbour()[1] & 255;")
            for _ in range(self.rng.randint(1, 2)):
                self.emit("__falx_sub_group_barrier();")
                self.emit(f"neighbour()[0] = convert<int>({name}) + {self.rng.randint(1, 9)};")
                self.emit(self.rng.choice(["__falx_sub_group_barrier();", f"{name} += __falx_sub_group_any({name} == 3);"]))
                self.emit(f"{name} += 3 * (neighbour()[1] & 255);")
            self.emit(f"if (__falx_sub_group_local_id() + 1 >= __falx_sub_group_size()) {name} = 9;")
        self.emit("__falx_sub_group_barrier();")

    def group_function(self):
        if self.has_barriers and self.level == 0 and self.rng.random() < 0.6:
            self.variables.append((generate_group_functions.emit(self, whole_group=True), "int"))
        elif self.has_sub_groups and self.level < 2:
            self.variables.append((generate_group_functions.emit(self, whole_group=False), "int"))
        else:
            self.assignment()

    def changed_row(self):
        """A row of the work-item's own, each element of which is loaded, changed and stored before the next one is."""
        rng = self.rng
        k, row = self.name(), self.name()
        length = rng.choice(["8", "8", "7", "5", f"int(index({self.uniform_value()}, 9))"])
        self.emit(f"int* const {row} = a.exchanged + global_linear() * 8;")
        self.emit(f"for (int {k} = {rng.choice(['0', '0', '1', '2'])}; {k} < {length}; ++{k}) {{")
        here = rng.choice([k, k, k, f"7 - {k}"])
        other = rng.choice(["x", f"a.in[(linear_id() & 15) * {rng.choice([2, 8, 12])} % (a.total - 8 > 0 ? a.total - 8 : 1) + {k} % a.total]",
                            f"a.bytes[{k} % a.total]", f"{row}[{here}] * 3", f"{row}[({here}) ^ 1]", f"{row}[({here}) > 0 ? ({here}) - 1 : 7]",
                            f"a.records[index({self.value()}, a.total)].y"])
        self.emit(f"  {row}[{here}] = convert<int>(mixed({row}[{here}], {other}));")
        if rng.random() < 0.3:
            self.emit(f"  a.out_records[global_linear()].y = convert<short>({row}[{here}]);")
        if rng.random() < 0.3:
            self.emit(f"  x = convert<int>(mixed(x, {row}[{rng.choice([k, '0', '3'])}]));")
        self.emit("}")

    def store(self):
        rng = self.rng
        choice = rng.random()
        if choice < 0.4:
            self.emit(f"a.out[global_linear()] = convert<int>(mixed(a.out[global_linear()], {self.value()}));")
        elif choice < 0.55 and rng.random() < 0.5:
            self.emit(f"a.exchanged[global_linear() * 8 + {rng.randrange(8)}] = convert<int>({self.value()});")
        elif choice < 0.55:
            self.emit(f"a.out_records[global_linear()].{rng.choice('yztw')} = convert<short>({self.value()});")
        elif self.arrays:
            name = rng.choice(self.arrays)
            kind, size = self.array(name)
            self.emit(f"{name}[{self.index(0, size)}] = convert<{kind}>({self.value()});")
        else:
            self.assignment()

    def statement(self):
        self.budget -= 1
        simple = [self.assignment, self.declaration, self.store, self.jump, self.barrier, self.vector, self.structure,
                  self.atomic, self.pointer, self.sub_group, self.sub_group, self.group_function, self.group_function,
                  self.short_branch, self.cold_call, self.guarded_elements, self.computed_loop, self.neighbours, self.neighbours, self.changed_row]
        if self.writes_captures:
            simple += [self.write_captured] * 4
        if self.copies_captures:
            simple += [self.copy_captured] * 3
        nested = [self.conditional, self.conditional, self.conditional, self.counted_loop, self.strided_loop, self.group_stride_loop,
                  self.row_loop, self.row_loop, self.wandering_loop, self.open_loop, self.selection, self.graph]
        number, self.statements = self.statements, self.statements + 1
        lines = len(self.lines)
        self.async_barriers.statement()
        self.math.statement()
        before = len(self.variables), len(self.vectors), len(self.records), len(self.sub_uniforms), len(self.pointers)
        self.rng.choice(simple if self.depth > 4 or self.budget <= 0 else simple + nested)()
        if number in self.removed:
            # Later statements may name what this one declared.
            del self.lines[lines:]
            for name, kind in self.variables[before[0]:]:
                self.emit(f"{kind} {name} = 1;")
            for name, element, size in self.vectors[before[1]:]:
                self.emit(f"vector<{element}, {size}> {name} = {{}};")
            for name in self.records[before[2]:]:
                self.emit(f"record {name} = {{}};")
            for name in self.sub_uniforms[before[3]:]:
                self.emit(f"const unsigned {name} = 1;")
            for name in self.pointers[before[4]:]:
                self.emit(f"int* {name} = a.exchanged + global_linear() * 8;")

    def generate(self):
        self.variables = [("x", "int"), ("y", "float")]
        if self.has_sub_groups:
            self.sub_uniforms = ["__falx_sub_group_id()"]
        self.emit("int x = a.in[global_linear()];")
        self.emit("float y = float(linear_id()) * 0.5f;")
        self.rows_of_memory()
        self.rows_of_items()
        self.quotients_by_one()
        self.left_with()
        for name in self.arrays:
            kind, size = self.array(name)
            self.emit(f"{kind} {name}[{size}] = {{convert<{kind}>(x), 1, 2, 3}};")
        for name in self.arrays:
            if name in LARGE_ARRAYS:
                self.large_array(name)
        self.async_barriers.begin()
        while self.budget > 0:
            self.statement()
        self.async_barriers.end()
        parts = [name for name, _ in self.variables] + [f"element<{size}>({name}, x)" for name, _, size in self.vectors]
        if self.writes_captures:
            parts += self.captured_parts()
        parts += [f"{name}[{self.index(1, size)}]" for name, (_, size) in LARGE_ARRAYS.items() if name in self.arrays]
        result = ", ".join(f"double(number({part}))" for part in parts)
        self.emit(f"a.out[global_linear()] = digest(a.out[global_linear()], {{{result}}});")
        body = "\n".join(self.lines)
        space = "of_range" if self.is_range else "of_groups"
        return (f"void generated_{self.number}(const kernel_arguments& a) {{\n  using namespace {space};\n{body}\n}}\n")


PRELUDE = """// Made by generate_kernels.py.
#include "falx/device_builtins.hpp"
#include "generated_kernels.hpp"
#include <algorithm>
#include <initializer_list>
#include <type_traits>
@GROUP_FUNCTIONS@
namespace {
using half = _Float16;
template <class T, int Size> using vector = T __attribute__((ext_vector_type(Size)));

namespace of_groups {
inline int linear_id() {
  return int(__falx_local_id_x() +
             __falx_local_range_x() * (__falx_local_id_y() + __falx_local_range_y() * __falx_local_id_z()));
}
inline int column() { return int(__falx_local_id_x()); }
inline int row() { return int(__falx_local_id_y()); }
inline int group_size() { return int(__falx_local_range_x() * __falx_local_range_y() * __falx_local_range_z()); }
inline int group_linear() {
  return int(__falx_group_id_x() +
             __falx_group_range_x() * (__falx_group_id_y() + __falx_group_range_y() * __falx_group_id_z()));
}
inline int global_linear() { return group_linear() * group_size() + linear_id(); }
inline int* local_ints() { return static_cast<int*>(__falx_local_memory()); }
inline int* counters() { return local_ints() + 128; }
inline int* exchanged() { return local_ints() + 256; }
inline int* neighbour() { return local_ints() + 384 + linear_id() + int(__falx_sub_group_id()); }
inline int sub_group_first() { return int(__falx_sub_group_id() * __falx_sub_group_max_size()); }
inline void barrier() { __falx_work_group_barrier(); }
inline std::uint64_t* async_barriers() { return reinterpret_cast<std::uint64_t*>(local_ints() + 768); }
inline int* meeting_ints() { return local_ints() + 784; }
}
namespace of_range {
inline int global_linear() {
  return int(__falx_global_id_x() - __falx_global_offset_x() +
             __falx_global_range_x() * (__falx_global_id_y() - __falx_global_offset_y() +
             __falx_global_range_y() * (__falx_global_id_z() - __falx_global_offset_z())));
}
inline int linear_id() { return int(__falx_global_id_x() + 2 * __falx_global_id_y()); }
inline int column() { return int(__falx_global_id_x()); }
inline int row() { return int(__falx_global_id_y()); }
}

template <class T> constexpr bool IS_FLOAT = T(0.5) != T(0) && T(0.5) != T(1);
template <class T, class U> constexpr bool SAME = false;
template <class T> constexpr bool SAME<T, T> = true;
template <bool Yes, class T, class F> struct choose { using type = T; };
template <class T, class F> struct choose<false, T, F> { using type = F; };
/// The widest floating-point type of the two.
template <class L, class R>
using common = typename choose<SAME<L, double> || SAME<R, double>, double,
    typename choose<SAME<L, float> || SAME<R, float>, float, half>::type>::type;

/// In a range where all conversions are defined.
template <class T> double bounded(T x) {
  const double value = double(x);
  return value >= -100.0 && value <= 100.0 ? value : value > 0 ? 77.0 : -3.0; // not a number: -3
}
template <class To, class From> To convert(From x) {
  if constexpr (IS_FLOAT<From> && !IS_FLOAT<To>)
    return To(int(bounded(x)));
  else if constexpr (SAME<To, half>) // in one rounding
    return To(float(int(bounded(x))));
  else
    return To(x);
}
template <class T> double number(T x) {
  if constexpr (IS_FLOAT<T>)
    return double(x);
  else
    return double(int(x));
}
template <class T> unsigned long word(T x) { return (unsigned long)(convert<long>(x)); }
/// A number below its second argument, which is below 2^16.
template <class T> long index(T x, long size) {
  return long((unsigned(word(x)) * 0x9E3779B1u >> 16) * unsigned(size) >> 16);
}
template <class T> long wrapped(T x, long size) { return long(word(x) % (unsigned long)size); }
template <int Size, class V, class T> auto element(V v, T x) { return v[index(x, Size)]; }
/// A byte of a vector.
template <int Size, class V> auto part(V v, int number) {
  return __builtin_bit_cast(vector<unsigned char, (Size == 3 ? 16 : 4 * Size)>, v)[number];
}
/// All bytes of a vector, each taken out by itself.
template <int Size, class V> unsigned long parts(V v) {
  unsigned long all = 0;
  for (int number = 0; number < 4 * Size; ++number)
    all = 31 * all + (number % 2 ? part<Size>(v, number) : (signed char)(part<Size>(v, number)));
  return all;
}
template <class L, class R> auto sum(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return common<L, R>(convert<common<L, R>>(x) + convert<common<L, R>>(y));
  else return L(word(x) + word(y));
}
template <class L, class R> auto difference(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return common<L, R>(convert<common<L, R>>(x) - convert<common<L, R>>(y));
  else return R(word(x) - word(y));
}
template <class L, class R> auto product(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return common<L, R>(convert<common<L, R>>(x) * convert<common<L, R>>(y));
  else return L(word(x) * word(y));
}
template <class L, class R> auto quotient(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return common<L, R>(convert<common<L, R>>(x) / convert<common<L, R>>(y));
  else return L(int(word(x) & 0xffff) / (int(word(y) & 15) + 1));
}
template <class L, class R> auto remainder(L x, R y) {
  if constexpr (IS_FLOAT<L>) return x; else return L((unsigned)word(x) % ((unsigned)(word(y) & 31) + 1));
}
template <class L, class R> auto shifted(L x, R y) {
  if constexpr (IS_FLOAT<L>) return x; else return L(word(y) & 1 ? word(x) << (word(y) & 7) : word(x) >> (word(y) & 7));
}
template <class L, class R> auto bits(L x, R y) { return int((word(x) & 0x7ff) ^ (word(y) | 5)); }
template <class L, class R> auto mixed(L x, R y) { return unsigned(word(x) * 31 + word(y)); }
template <class L, class R> auto smaller(L x, R y) { return number(x) < number(y) ? L(x) : convert<L>(y); }
template <class L, class R> auto rotated(L x, R y) {
  return __builtin_rotateleft32(unsigned(word(x)), unsigned(word(y)));
}
template <class L, class R> auto root(L x, R y) {
  return __builtin_sqrtf(float(bounded(x)) * float(bounded(x)) + 1.0f) + float(bounded(y));
}
/// Of numbers up to all 64 bits.
template <class L, class R> auto divided(L x, R y) {
  const unsigned long upper = word(x) << (word(y) & 40), lower = (word(y) << (word(x) & 33)) | 1;
  return word(x) & 1 ? (upper / lower) ^ (upper % lower) : upper % lower;
}
template <class L, class R> auto signed_divided(L x, R y) {
  const long upper = long(word(x) << (word(y) & 40)), lower = long((word(y) << (word(x) & 33)) | 1);
  return lower == -1 ? 1 : word(y) & 2 ? (upper / lower) ^ (upper % lower) : upper / lower;
}
template <class L, class R> auto counted(L x, R y) {
  return __builtin_popcountll(word(x)) + __builtin_clz(unsigned(word(y)) | 1);
}
template <class L, class R> auto swapped(L x, R y) { return __builtin_bswap32(unsigned(word(x))) ^ unsigned(word(y)); }
template <class L, class R> auto high(L x, R y) {
  return (unsigned long)(((unsigned __int128)word(x) * word(y)) >> 64);
}
template <class L, class R> auto rounded(L x, R y) {
  if constexpr (SAME<L, double>) return word(y) & 1 ? __builtin_floor(x) : __builtin_ceil(x);
  else if constexpr (IS_FLOAT<L>) return word(y) & 1 ? __builtin_truncf(float(x)) : __builtin_rintf(float(x));
  else return x;
}
template <class L, class R> auto fused(L x, R y) {
  if constexpr (SAME<L, double>) return __builtin_fma(bounded(x), bounded(y), 0.5);
  else return __builtin_fmaf(float(bounded(x)), float(bounded(y)), 0.5f);
}
inline int ring_of(unsigned long size) { return (1 << (31 - __builtin_clz(unsigned(size)))) - 1; }
template <class L, class R> auto modulo(L x, R y) {
  if constexpr (SAME<L, double>) return word(y) & 1 ? __builtin_fmod(x, double(bounded(y))) : __builtin_remainder(x, double(bounded(y)));
  else return word(y) & 1 ? __builtin_fmodf(float(x), float(bounded(y))) : __builtin_remainderf(float(x), float(bounded(y)));
}
template <class L, class R> auto signed_as(L x, R y) {
  if constexpr (SAME<L, double>) return __builtin_copysign(x, bounded(y));
  else return __builtin_fabsf(float(bounded(x))) + __builtin_copysignf(1.0f, float(bounded(y)));
}
@MATH@
template <class T> void add_to(T* sum, T value) { __atomic_fetch_add(sum, value, __ATOMIC_RELAXED); }
inline void flip(unsigned* bits, unsigned value) { __atomic_fetch_xor(bits, value, __ATOMIC_RELAXED); }
inline void set(unsigned* bits, unsigned value) { __atomic_fetch_or(bits, value, __ATOMIC_RELAXED); }
inline void raise(unsigned* most, unsigned value) {
  unsigned seen = __atomic_load_n(most, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(most, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
inline void raise_at_once(unsigned* most, unsigned value) { __atomic_fetch_max(most, value, __ATOMIC_RELAXED); }
[[gnu::cold]] inline int complain(unsigned* sum, int value) {
  add_to(sum, unsigned(value));
  return value * 3 + 1;
}
inline int digest(int seed, std::initializer_list<double> values) {
  unsigned long result = (unsigned long)seed;
  for (double value : values) {
    unsigned long word;
    __builtin_memcpy(&word, &value, 8);
    if (value != value)
      word = 42;
    result = (result ^ word) * 0x9E3779B97F4A7C15ul;
  }
  return int(result >> 32);
}
} // namespace

extern "C" {
"""


def source(kernels):
    """The C++ of a program's kernels."""
    parts = [PRELUDE.replace("@GROUP_FUNCTIONS@", generate_group_functions.PRELUDE).replace("@MATH@", generate_math.PRELUDE)] + [kernel.generate() for kernel in kernels]
    entries = ",\n".join(f'    {{"generated_{k.number}", generated_{k.number}, {1 if k.is_range else 2}, {k.width}}}' for k in kernels)
    parts.append(f"extern const generated_kernel GENERATED_KERNELS[] = {{\n{entries}}};")
    parts.append(f"extern const unsigned GENERATED_KERNEL_COUNT = {len(kernels)};\n}}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    seed, first, count = (int(argument) for argument in sys.argv[1:4])
    print(source([Kernel(seed, number) for number in range(first, first + count)]))
