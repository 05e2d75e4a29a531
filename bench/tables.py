"""The tables of docs/performance.md, made of what bench/run and the GPU bundle measured.

A document has a place for each: what stands between `<!-- table: NAME -->` and `<!-- end of table -->` is replaced.
"""
import re

SIDES = ("falx", "openmp", "hand")
TIMES = ("us", "ms", "s")


def markdown(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def cpu_table(kernels):
    """Of {row: {side: {"wall": ms, "processor": ms, "check": text}}}; ratios are speeds of Falx over that by hand."""
    heading = ["kernel", "CPU: Falx", "OpenMP", "by hand", "over by hand", "wall: Falx", "OpenMP", "by hand", "over by hand"]
    rows = []
    for name, sides in kernels.items():
        row = [name]
        for clock in ("processor", "wall"):
            row += [f"{sides[side][clock]:.2f}" if side in sides else "-" for side in SIDES]
            row.append(f"{sides['hand'][clock] / sides['falx'][clock]:.2f}" if "hand" in sides else "-")
        rows.append(row)
    wrong = [f"{name}, {side}: {each['check']}" for name, sides in kernels.items() for side, each in sides.items()
             if each["check"] != "ok"]
    return markdown(heading, rows) + ("\n\nWrong results: " + "; ".join(wrong) + "." if wrong else "")


def opencl_rows(kernels):
    """A heading and rows of cells, of those kernels that an OpenCL runtime has run: times of the processor and ratios."""
    names = list(dict.fromkeys(side for sides in kernels.values() for side in sides if side.startswith("opencl: ")))
    if not names:
        return []
    rows = [["kernel", "Falx", *(name.removeprefix("opencl: ") for name in names)]]
    for kernel, sides in kernels.items():
        if not any(name in sides for name in names):
            continue
        own = sides["falx"]["processor"]
        times = [sides[name]["processor"] if name in sides else None for name in names]
        rows.append([kernel, f"{own:.2f}", *("-" if time is None else f"{time:.2f} ({time / own:.2f})" for time in times)])
    return rows


def opencl_table(kernels):
    heading, *rows = opencl_rows(kernels)
    return markdown(heading, rows)


def gpu_table(sides):
    """Of bench.json of the GPU bundle: {side: {row: [value, unit, check]}}"""
    rows = []
    for name in dict.fromkeys([*sides["falx"], *sides["cuda"]]):
        falx, cuda = sides["falx"].get(name), sides["cuda"].get(name)
        ratio = ""
        if falx and cuda and falx[0] and cuda[0]:
            ratio = f"{cuda[0] / falx[0] if falx[1] in TIMES else falx[0] / cuda[0]:.3f}"
        rows.append([name, *(f"{row[0]:.4g}" if row and row[0] else "-" for row in (falx, cuda)), (falx or cuda)[1], ratio])
    return markdown(["kernel", "Falx", "CUDA", "unit", "ratio"], rows)


def variants_table(rows):
    """Of {row: {variant: ms}}; the variants that take over 10 % longer than the best one of the row."""
    table = []
    for row, variants in rows.items():
        best = min(variants.values())
        slower = [f"{name} {ms / best:.2f}" for name, ms in variants.items() if ms / best > 1.1]
        table.append([row, f"{best:.3f}", f"{len(slower)} of {len(variants)}", "; ".join(slower) or "-"])
    return markdown(["row", "best, ms", "over 1.1", "which"], table)


def list_of(unit, values, form="{:.2f}", factor=1):
    return markdown(["", unit], [[name, form.format(factor * value)] for name, value in values.items()])


MAKERS = {
    "cpu_kernels": cpu_table,
    "cpu_opencl": opencl_table,
    "cpu_kernels_haswell": cpu_table,
    "cpu_kernels_nehalem": cpu_table,
    "variants": variants_table,
    "gpu_kernels": gpu_table,
    "launch_us": lambda values: list_of("µs a launch", values),
    "specialization_us": lambda values: list_of("µs of the processor", values),
    "compile_s": lambda values: list_of("s", values),
    "first_launch_s": lambda values: list_of("ms", values, "{:.1f}", 1e3),
    "measured": lambda values: f"{values['processor']}, {values['processors']} processors; {values['time']}, commit "
                               f"{values['commit']}; least of {values['rounds']} rounds.",
}


def write_into(document, results):
    """Replaces the tables that results has. Gives the names of those for which document has no place."""
    text = document.read_text()
    missing = []
    for name, maker in MAKERS.items():
        if name not in results:
            continue
        place = re.compile(rf"(<!-- table: {name} -->\n).*?(\n<!-- end of table -->)", re.DOTALL)
        table = maker(results[name])
        text, count = place.subn(lambda match: match.group(1) + table + match.group(2), text)
        if count == 0:
            missing.append(name)
    document.write_text(text)
    return missing
