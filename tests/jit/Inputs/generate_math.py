"""Mathematical functions in random kernels (generate_kernels.py), of numbers and of vectors, wherever a statement may stand.

Functions that the JIT has a body for (jit/math/cpu_math_library.c) have the same results in all forms, and as native code
(native_math.c, which lists them). Others, and all on processors without fused multiply-add (then a.is_exact is false), differ by some units in
the last place between sizes of sub-groups: those are computed as doubles and rounded to floats, slightly off so that no
exact result lies in the middle between two floats, where the last bit would decide. Operands are sums with a.nothing,
which is 0: LLVM evaluates functions of constants with the C library's."""
import random

OF_ONE = ["acosh", "asinh", "atanh", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "log", "log10", "log1p", "log2",
          "sin", "sinh", "tan", "tanh"]
OF_TWO = ["pow"]
OTHERS = ["acos", "asin", "atan", "cbrt"]
ELEMENTWISE = ["cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2", "sin", "sinh", "tan", "tanh"]
# Near the usual ones, at the ends, large angles, denormal numbers.
FACTORS = ["1", "1", "1", "1", "0.01f", "0x1p-20f", "300", "1e6f", "-1e9f", "1e20f", "3e35f", "1e-30f", "0x1p-137f"]


class Math:
    """Random numbers of its own, so that the rest of a kernel stays the same."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.rng = random.Random(f"mathematical functions of {kernel.seed}/{kernel.number}")
        self.often = self.rng.choice([0, 0, 0, 0.3, 0.3, 0.8])

    def operand(self, kind):
        """Of variables alone: other expressions would draw from the kernel's random numbers."""
        rng = self.rng
        value = f"convert<{kind}>({rng.choice(self.kernel.variables)[0]})"
        return f"{value} * ({kind}){rng.choice(FACTORS)} + ({kind})a.nothing"

    def of_numbers(self):
        rng = self.rng
        name, kind = rng.choice(self.kernel.variables)
        if rng.random() < 0.7:
            function = rng.choice(OF_ONE + OF_TWO * 2)
            operands = [self.operand("float") for _ in range(1 + (function in OF_TWO))]
            value = f"{function}_of_float(a.is_exact, {', '.join(operands)})"
        else:
            function = rng.choice(OF_ONE + OF_TWO + OTHERS)
            operands = [self.operand("double") for _ in range(1 + (function in OF_TWO))]
            value = f"rounded_near(__builtin_{function}({', '.join(operands)}))"
        factor = rng.choice([1, 1, 16, 100])
        self.kernel.emit(f"{name} = convert<{kind}>(sum({name}, {value} * {factor}));")

    def of_vectors(self, vectors):
        rng = self.rng
        vector, element, size = rng.choice(vectors)
        function = rng.choice(ELEMENTWISE)
        operand = f"{vector} * ({element}){rng.choice(FACTORS)} + ({element})a.nothing"
        if element == "double":
            value = f"rounded_near(__builtin_elementwise_{function}({operand}))"
        else:
            value = f"{function}_of_floats<{size}>(a.is_exact, {operand})"
        if rng.random() < 0.5:
            self.kernel.emit(f"{vector} = __builtin_convertvector({value}, vector<{element}, {size}>);")
        else:  # nobody uses the other elements
            name, kind = rng.choice(self.kernel.variables)
            self.kernel.emit(f"{name} = convert<{kind}>({value}.{'xyzw'[rng.randrange(size)]});")

    def statement(self):
        if self.rng.random() >= self.often:
            return
        vectors = [each for each in self.kernel.vectors if each[1] != "unsigned"]
        if vectors and self.rng.random() < 0.5:
            self.of_vectors(vectors)
        else:
            self.of_numbers()


PRELUDE = """
/// Where a unit in the last place of double seldom matters.
inline float rounded_near(double x) { return float(x * 0x1.000123456p0); }
template <int Size> vector<float, Size> rounded_near(vector<double, Size> x) {
  return __builtin_convertvector(x * 0x1.000123456p0, vector<float, Size>);
}
inline vector<float, 2> rounded_near(vector<double, 2> x) { return rounded_near<2>(x); }
""" + "".join(f"""
inline float {name}_of_float(bool is_exact, float x) {{
  return is_exact ? __builtin_{name}f(x) : rounded_near(__builtin_{name}(double(x)));
}}""" for name in OF_ONE) + "".join(f"""
inline float {name}_of_float(bool is_exact, float x, float y) {{
  return is_exact ? __builtin_{name}f(x, y) : rounded_near(__builtin_{name}(double(x), double(y)));
}}""" for name in OF_TWO) + "".join(f"""
template <int Size> vector<float, Size> {name}_of_floats(bool is_exact, vector<float, Size> x) {{
  if (is_exact)
    return __builtin_elementwise_{name}(x);
  return rounded_near<Size>(__builtin_elementwise_{name}(__builtin_convertvector(x, vector<double, Size>)));
}}""" for name in ELEMENTWISE) + "\n"
