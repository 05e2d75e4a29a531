#!/usr/bin/env python3
"""The polynomials of jit/math/float_functions.h and double_functions.h (names with 64), with their largest weighted error.

Usage: polynomials.py [name…]

A polynomial is that of least largest error (Remez's algorithm) with real coefficients; then the first coefficient is
rounded to a float
or double, the others are fitted again, and so on. Needs mpmath.
"""
import sys

import mpmath as mp
from mpmath import mpf

mp.mp.prec = 120
POINTS_PER_COEFFICIENT = 30


def rounded(x, bits):
    mantissa, exponent = mp.frexp(mpf(x))
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), int(exponent) - bits)


def value(coefficients, x):
    result = mpf(0)
    for each in reversed(coefficients):
        result = result * x + each
    return result


def extrema(errors, count):
    """Indices of count errors of alternating sign, the largest ones; None if there are not so many."""
    found = []
    for i, error in enumerate(errors):
        if found and (error > 0) == (errors[found[-1]] > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > count:
        if len(found) - count >= 2:
            k = min(range(len(found) - 1), key=lambda i: abs(errors[found[i]]) + abs(errors[found[i + 1]]))
            del found[k:k + 2]
        else:
            found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found if len(found) == count else None


def remez(function, weight, count, low, high):
    """count coefficients from x^0 on."""
    size = count + 1
    points = POINTS_PER_COEFFICIENT * size
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (i + mpf("0.37")) / points) for i in range(points)]
    values, weights = [function(x) for x in grid], [abs(weight(x)) for x in grid]
    chosen = [min(points - 1, int((i + mpf("0.5")) * points / size)) for i in range(size)]
    best, least = None, None
    for _ in range(20):
        matrix, right = mp.matrix(size, size), mp.matrix(size, 1)
        for row, i in enumerate(chosen):
            for power in range(count):
                matrix[row, power] = grid[i]**power
            matrix[row, count] = (-1)**row / weights[i]
            right[row] = values[i]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[i] for i in range(count)]
        errors = [w * (v - value(coefficients, x)) for x, v, w in zip(grid, values, weights)]
        largest, levelled = max(map(abs, errors)), abs(solution[count])
        if least is None or largest < least:
            best, least = coefficients, largest
        chosen = extrema(errors, size)
        if chosen is None or largest - levelled < levelled * mpf("0.003"):
            break
    return best


def fit(name, function, weight, powers, low, high, start=lambda x: mpf(0), bits=24):
    """function as start + the sum of c * x^p for consecutive powers p."""
    low, high, powers = mpf(low), mpf(high), list(powers)
    known = {}

    def so_far(x):
        return start(x) + sum(c * x**p for p, c in known.items())

    for power in powers:
        coefficients = remez(lambda x: (function(x) - so_far(x)) / x**power, lambda x: weight(x) * x**power,
                             len(powers) - len(known), low, high)
        known[power] = rounded(coefficients[0], bits)
    grid = [low + (high - low) * (i + mpf("0.123")) / 1500 for i in range(1500)]
    error = max(abs(weight(x) * (function(x) - so_far(x))) for x in grid)
    print(f"{name}: error 2^{float(mp.log(error, 2)):.2f}, x^{powers[0]} first")
    print("    " + ", ".join(float(known[p]).hex() for p in powers), flush=True)


def relative(function):
    return lambda x: 1 / function(x)


def of_square(odd):
    """odd(r) / r as a function of r^2."""
    return lambda square: odd(mp.sqrt(square)) / mp.sqrt(square)


def fit_scaled_erfc(degree):
    slope = mpf(1) / 3
    argument = lambda u: (1 / u - 1) / slope
    scaled = lambda u: mp.erfc(argument(u)) * mp.exp(argument(u)**2)
    fit("erfc(x) * e^(x^2) of 1 / (1 + x / 3)", scaled, relative(scaled), range(1, degree + 1),
        1 / (1 + slope * mpf("10.1")), 1)


def fit_exponential(name, base, half, degrees, first=1, start=lambda x: mpf(1), bits=24):
    power = lambda x: mpf(base)**x
    for degree in degrees:
        fit(f"{name}, degree {degree}", power, relative(power), range(first, degree + 1), -half, half, start, bits)


def fit_odd(name, odd, largest, degree, first=1, bits=24):
    """As first * r and more."""
    function = of_square(odd)
    fit(name, function, relative(function), range(1, (degree + 1) // 2), mpf("1e-12"), (largest * mpf("1.001"))**2,
        lambda square: first + mpf(0), bits)


FITS = {
    "exp": lambda: fit_exponential("e^x", mp.e, mp.log(2) / 2 * mpf("1.002"), (5, 6), 2, lambda x: 1 + x),
    "exp2": lambda: fit_exponential("2^x", 2, mpf("0.501"), (5, 6)),
    "exp10": lambda: fit_exponential("10^x", 10, mp.log(2, 10) / 2 * mpf("1.002"), (5, 6)),
    "log": lambda: [fit(f"log(1 + x), degree {degree}", mp.log1p, relative(mp.log1p), range(3, degree + 1),
                        mpf(2) / 3 - 1, mpf(4) / 3 - 1, lambda x: x - x * x / 2) for degree in (9, 10)],
    "sin": lambda: fit_odd("sin(r) / r of r^2", mp.sin, mp.pi / 2, 9),
    "tan": lambda: fit_odd("tan(r) / r of r^2", mp.tan, mp.pi / 4, 13),
    "erf": lambda: fit("-log(erfc(x))", lambda x: -mp.log(mp.erfc(x)), lambda x: mp.erfc(x) / mp.erf(x), range(1, 9),
                       mpf("1e-6"), mpf("3.93")),
    "erfc": lambda: fit_scaled_erfc(8),
    "exp64": lambda: fit_exponential("e^x", mp.e, mp.log(2) / 2 * mpf("1.002"), (10, 11), 2, lambda x: 1 + x, 53),
    "exp2_64": lambda: fit_exponential("2^x", 2, mpf("0.501"), (10, 11), bits=53),
    "exp10_64": lambda: fit_exponential("10^x", 10, mp.log(2, 10) / 2 * mpf("1.002"), (10, 11), bits=53),
    "log64": lambda: [fit_odd(f"2 atanh(s), degree {degree}", lambda s: 2 * mp.atanh(s), 3 - 2 * mp.sqrt(2), degree, 2, 53)
                      for degree in (13, 15)],
    "pow64": lambda: fit_odd("log2((1 + s) / (1 - s))", lambda s: 2 * mp.atanh(s) / mp.log(2), mpf("0.0858"), 13, 2 / mp.log(2), 53),
    "sin64": lambda: [fit_odd(f"sin(r) / r of r^2, degree {degree}", mp.sin, mp.pi / 2, degree, bits=53) for degree in (15, 17)],
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or FITS:
        FITS[wanted]()
