"""Random legal kernels as C++ for barrier_kernels.hpp: generate_kernels.py <seed> <count>.

Each kernel computes on a few variables of all arithmetic types in nested control flow, uniform and divergent:
conditionals, loops with breaks and continues, switches, early returns, private arrays, shared and local memory with
barriers where all work-items come by. No undefined behaviour: integers are combined as unsigned, shifts and indices
are masked, divisors are not zero, floats are brought into range before they become integers. What it computes must
not depend on the order of work-items."""
import random
import sys

INTEGERS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
FLOATS = ["float", "double"]


class Kernel:
    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.lines = []
        self.depth = 1
        self.variables = []  # (name, type)
        self.uniforms = ["a.count", "long(group_linear())"]
        self.loops = []  # "uniform" or "divergent", innermost last
        self.divergent = 0  # levels of divergent control around the current statement
        self.names = 0
        # Every fourth can run as a basic range.
        self.has_barriers = number % 4 != 1 and rng.random() < 0.6
        self.has_array = rng.random() < 0.5
        self.budget = rng.randint(6, 40)

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def value(self, depth=0):
        """An expression of any arithmetic type that differs between work-items."""
        rng = self.rng
        choice = rng.random()
        if depth > 2 or choice < 0.35:
            return rng.choice(self.variables)[0]
        if choice < 0.45:
            return f"{rng.choice(['int', 'long', 'float', 'short'])}({rng.randint(-9, 100)})"
        if choice < 0.5:
            return rng.choice(["linear_id()", "global_linear()"] + self.uniforms)
        if choice < 0.58:
            return f"a.in[index({self.value(depth + 1)}, a.total)]"
        if choice < 0.64 and self.has_array:
            return f"array[index({self.value(depth + 1)}, 8)]"
        if choice < 0.7:
            return f"({self.condition(depth + 1)} ? number({self.value(depth + 1)}) : number({self.value(depth + 1)}))"
        if choice < 0.78:
            kind = rng.choice(INTEGERS + FLOATS)
            return f"convert<{kind}>({self.value(depth + 1)})"
        operation = rng.choice(["sum", "difference", "product", "quotient", "remainder", "shifted", "bits", "mixed",
                                "smaller", "rotated", "root"])
        return f"{operation}({self.value(depth + 1)}, {self.value(depth + 1)})"

    def uniform_value(self):
        return f"(({self.rng.choice(self.uniforms)} + {self.rng.randint(0, 5)}) & {self.rng.choice([1, 3, 7])})"

    def condition(self, depth=0):
        rng = self.rng
        if rng.random() < 0.25:
            return f"{self.uniform_value()} {rng.choice(['<', '==', '!='])} {rng.randint(0, 4)}"
        if rng.random() < 0.3:
            return f"((linear_id() >> {rng.randint(0, 2)}) & {rng.randint(1, 5)}) {rng.choice(['==', '!='])} 0"
        comparison = rng.choice(["<", ">", "<=", "==", "!="])
        return f"number({self.value(depth + 1)}) {comparison} number({self.value(depth + 1)})"

    def uniform_condition(self):
        return f"{self.uniform_value()} {self.rng.choice(['<', '>=', '!='])} {self.rng.randint(0, 5)}"

    def block(self, divergent, in_loop=None):
        self.depth += 1
        self.divergent += divergent
        if in_loop is not None:
            self.loops.append(in_loop)
        outer = list(self.variables), list(self.uniforms)
        for _ in range(self.rng.randint(1, 4)):
            self.statement()
        self.variables, self.uniforms = outer
        if in_loop is not None:
            self.loops.pop()
        self.divergent -= divergent
        self.depth -= 1

    def assignment(self):
        name, kind = self.rng.choice(self.variables)
        self.emit(f"{name} = convert<{kind}>({self.value()});")

    def declaration(self):
        kind = self.rng.choice(INTEGERS + FLOATS)
        name = self.name()
        self.emit(f"{kind} {name} = convert<{kind}>({self.value()});")
        self.variables.append((name, kind))

    def conditional(self):
        uniform = self.rng.random() < 0.3
        self.emit(f"if ({self.uniform_condition() if uniform else self.condition()}) {{")
        self.block(not uniform)
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.block(not uniform)
        self.emit("}")

    def counted_loop(self):
        uniform = self.rng.random() < 0.5
        counter = self.name()
        bound = self.uniform_value() if uniform else f"index({self.value()}, {self.rng.randint(2, 6)})"
        # Breaks under divergent conditions make what looks uniform divergent: then no barriers inside.
        self.emit(f"for (int {counter} = 0, {counter}end = int({bound}); {counter} < {counter}end; ++{counter}) {{")
        kept = list(self.uniforms), list(self.variables)
        breaks = self.rng.random() < 0.4
        if uniform and not breaks:
            self.uniforms.append(counter)
        self.block(not uniform or breaks, "breaks" if breaks else "plain")
        self.uniforms, self.variables = kept
        self.emit("}")

    def open_loop(self):
        fuel = self.name()
        self.emit(f"int {fuel} = {self.rng.randint(1, 9)};")
        if self.rng.random() < 0.5:
            self.emit(f"while ({self.condition()} && {fuel}-- > 0) {{")
            self.block(True, "breaks")
            self.emit("}")
        else:
            self.emit("do {")
            self.block(True, "breaks")
            self.emit(f"}} while (--{fuel} > 0 && {self.condition()});")

    def selection(self):
        self.emit(f"switch (index({self.value()}, {self.rng.randint(3, 7)})) {{")
        loops, self.loops = self.loops, []
        for case in range(self.rng.randint(1, 4)):
            self.emit(f"case {case}: {{")
            self.block(True)
            self.emit("}")
            if self.rng.random() < 0.7:
                self.emit("  break;")
        if self.rng.random() < 0.6:
            self.emit("default: {")
            self.block(True)
            self.emit("}")
        self.emit("}")
        self.loops = loops

    def jump(self):
        if self.loops and self.loops[-1] == "breaks":
            self.emit(f"if ({self.condition()}) {self.rng.choice(['break', 'continue'])};")
        elif not self.has_barriers and self.rng.random() < 0.5:
            self.emit(f"if ({self.condition()}) return;")
        else:
            self.assignment()

    def barrier(self):
        if not self.has_barriers or self.divergent:
            return self.assignment()
        self.emit("barrier();")
        self.emit(f"local_ints()[linear_id()] = convert<int>({self.value()});")
        self.emit("barrier();")
        name = self.name()
        self.emit(f"int {name} = local_ints()[index({self.value()}, group_size())];")
        self.variables.append((name, "int"))

    def store(self):
        choice = self.rng.random()
        if choice < 0.5:
            self.emit(f"a.out[global_linear()] = convert<int>(mixed(a.out[global_linear()], {self.value()}));")
        elif self.has_array:
            self.emit(f"array[index({self.value()}, 8)] = convert<int>({self.value()});")
        else:
            self.assignment()

    def statement(self):
        self.budget -= 1
        simple = [self.assignment, self.declaration, self.store, self.jump, self.barrier]
        nested = [self.conditional, self.conditional, self.counted_loop, self.open_loop, self.selection]
        deep = self.depth > 5 or self.budget <= 0
        self.rng.choice(simple if deep else simple + nested)()

    def generate(self):
        self.variables = [("x", "int"), ("y", "float")]
        self.emit("int x = a.in[global_linear()];")
        self.emit("float y = float(linear_id()) * 0.5f;")
        if self.has_array:
            self.emit("int array[8] = {x, 1, 2, 3, 4, 5, 6, 7};")
        while self.budget > 0:
            self.statement()
        result = ", ".join(f"double(number({name}))" for name, _ in self.variables)
        self.emit(f"a.out[global_linear()] = digest(a.out[global_linear()], {{{result}}});")
        body = "\n".join(self.lines)
        return f"KERNEL(generated_{self.number}) {{\n{body}\n}}\n"


PRELUDE = """// Made by generate_kernels.py.
#include "barrier_kernels.hpp"
#include "falx/device_builtins.hpp"
#include <initializer_list>

namespace {
int linear_id() {
  return int(__falx_local_id_x() +
             __falx_local_range_x() * (__falx_local_id_y() + __falx_local_range_y() * __falx_local_id_z()));
}
int group_size() { return int(__falx_local_range_x() * __falx_local_range_y() * __falx_local_range_z()); }
int group_linear() {
  return int(__falx_group_id_x() +
             __falx_group_range_x() * (__falx_group_id_y() + __falx_group_range_y() * __falx_group_id_z()));
}
int global_linear() { return group_linear() * group_size() + linear_id(); }
int* local_ints() { return static_cast<int*>(__falx_local_memory()); }
void barrier() { __falx_work_group_barrier(); }

template <class T> constexpr bool IS_FLOAT = T(0.5) != T(0);
/// In a range where all conversions are defined.
template <class T> double bounded(T x) {
  const double value = double(x);
  return value >= -100.0 && value <= 100.0 ? value : value > 0 ? 77.0 : -3.0; // not a number: -3
}
template <class To, class From> To convert(From x) {
  if constexpr (IS_FLOAT<From> && !IS_FLOAT<To>)
    return To(int(bounded(x)));
  else
    return To(x);
}
template <class T> auto number(T x) {
  if constexpr (IS_FLOAT<T>)
    return double(x);
  else
    return double(int(x));
}
template <class T> unsigned long word(T x) { return (unsigned long)(convert<long>(x)); }
template <class T> long index(T x, long size) { return long(word(x) % (unsigned long)size); }
template <class L, class R> auto sum(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return x + y; else return L(word(x) + word(y));
}
template <class L, class R> auto difference(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return x - y; else return R(word(x) - word(y));
}
template <class L, class R> auto product(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return x * y; else return L(word(x) * word(y));
}
template <class L, class R> auto quotient(L x, R y) {
  if constexpr (IS_FLOAT<L> || IS_FLOAT<R>) return x / y;
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
  const unsigned value = unsigned(word(x));
  return __builtin_rotateleft32(value, unsigned(word(y)));
}
template <class L, class R> auto root(L x, R y) {
  return __builtin_sqrtf(float(bounded(x)) * float(bounded(x)) + 1.0f) + float(bounded(y));
}
int digest(int seed, std::initializer_list<double> values) {
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


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(PRELUDE)
    for number in range(count):
        print(Kernel(random.Random(f"{seed}/{number}"), number).generate())
    entries = ", ".join(f"ENTRY(generated_{number})" for number in range(count))
    print(f"extern const kernel_entry BARRIER_KERNELS[] = {{{entries}}};")
    print(f"extern const unsigned BARRIER_KERNEL_COUNT = {count};")
    print("}")


main()
