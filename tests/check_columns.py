#!/usr/bin/env python3
"""Checks that lines have 110 columns at most. Usage: tests/check_columns.py [--mend] [FILE...]

Of every tracked document and C++ file: clang-format breaks code, but no comment that holds a drawing, no
table of macros and no document. Longer may be what cannot be broken: rows of tables, headings and code of
documents, and single words. Tests for lit are left out, as lit, FileCheck and clang read their lines.
--mend fills paragraphs of documents that have a longer line anew.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 110
SUFFIXES = {".md", ".cpp", ".hpp", ".c", ".h", ".cu", ".cuh", ".def"}
FOR_LIT = ("tests/compiler/", "tests/jit/")
FENCE = re.compile(r"\s*(```|~~~)")
NO_PROSE = re.compile(r"\s*([|#<>]|```|~~~|$)")
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+")
# What would begin something else at the beginning of a line.
BEGINS = re.compile(r"([-*+|>]|#+|\d+[.)]|=+|-+|```.*|~~~.*|<.*)$")
# Code and links stay on one line.
WORD = re.compile(r"(?:`[^`]*`|\[[^]]*\]\([^)\s]*\)|\S)+")


def parts_of(lines):
    """(whether it is prose, the lines) of each part of a document; a part of prose is one paragraph."""
    part, fenced, in_list = [], False, False
    for line in lines:
        if FENCE.match(line):
            fenced = not fenced
            verbatim = True
        else:
            verbatim = fenced or NO_PROSE.match(line) is not None
        is_item = not verbatim and ITEM.match(line) is not None
        if not verbatim and not part and line.startswith("    ") and not in_list:
            verbatim = True  # code by indentation
        if (verbatim or is_item) and part:
            yield True, part
            part = []
        if verbatim:
            in_list = in_list and (not line.strip() or line.startswith(" "))
            yield False, [line]
            continue
        in_list = is_item or (in_list and (bool(part) or line.startswith(" ")))
        part.append(line)
    if part:
        yield True, part


def filled(part):
    """The paragraph with no line longer than that; its continuations keep their indentation."""
    item = ITEM.match(part[0])
    indentation = re.match(r"\s*", part[0])[0]
    following = " " * item.end() if item else indentation
    if item and len(part) > 1:
        following = re.match(r"\s*", part[1])[0]
    words = WORD.findall(" ".join(part))
    line, lines = indentation + words[0], []
    for word in words[1:]:
        is_marker = item is not None and not lines and line.strip() == item[2]
        if len(line) + 1 + len(word) <= COLUMNS or is_marker or BEGINS.match(word):
            line += " " + word
        else:
            lines.append(line)
            line = following + word
    return lines + [line]


def mended(text):
    lines = []
    for is_prose, part in parts_of(text.split("\n")):
        keeps_breaks = any(line.endswith(("  ", "\\")) for line in part)
        is_long = any(len(line) > COLUMNS for line in part)
        lines += filled(part) if is_prose and is_long and not keeps_breaks else part
    return "\n".join(lines)


def long_lines(text, is_document):
    parts = parts_of(text.split("\n")) if is_document else [(True, text.split("\n"))]
    number = 1
    for is_prose, part in parts:
        for line in part:
            if is_prose and len(line) > COLUMNS and len(WORD.findall(line)) > 2:
                yield number
            number += 1


def main():
    mends = "--mend" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name != "--mend"]
    if not names:
        names = subprocess.run(["git", "-C", ROOT, "ls-files"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.splitlines()
    findings = []
    for name in names:
        path = ROOT / name
        if path.suffix not in SUFFIXES or name.startswith(FOR_LIT) or not path.is_file():
            continue
        text = path.read_text()
        if mends and path.suffix == ".md" and mended(text) != text:
            text = mended(text)
            path.write_text(text)
        findings += [f"{name}:{number}: longer than {COLUMNS} columns"
                     for number in long_lines(text, path.suffix == ".md")]
    print("\n".join(findings) or f"no line is longer than {COLUMNS} columns")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
