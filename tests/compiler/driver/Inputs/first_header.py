"""Checks that falx/requirements.hpp is the first of our headers that a compiler reads to its end, whichever public header
is included: each includes another one of ours before it declares anything, down to that one. Macros are no declarations."""
import pathlib
import re
import sys

include = pathlib.Path(sys.argv[1])
target = include / "falx" / "requirements.hpp"


def first_of_ours(header):
    for line in re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S).splitlines():
        quoted = re.match(r'#include ["<]([^">]+)[">]', line)
        if quoted:
            for path in (header.parent / quoted[1], include / quoted[1]):
                if path.exists():
                    return path.resolve()
        elif line and not line.startswith(("//", "#pragma", "#define")):
            break
    else:
        return target.resolve()  # macros alone: nothing that a compiler could fail to read
    sys.exit(f"{header} declares something before it includes a header of ours; one that needs none includes "
             "falx/requirements.hpp")


headers = [path for part in ("sycl", "CL") for path in (include / part).rglob("*.hpp")]
assert headers
for header in headers:
    while header.resolve() != target.resolve():
        header = first_of_ours(header)
