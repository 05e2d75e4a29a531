#!/usr/bin/env python3
"""Checks that what documentation points to is there. Usage: tests/check_docs.py [REPOSITORY]

Of every tracked .md file: relative links and their anchors, and paths between backticks such as `jit/jit.hpp`. A path may leave
out leading directories (`memory/vector_rows` is in jit/vectorizer) and the extension; it is taken for one if its first part is
the name of a directory of the repository. NAME and STAGE stand for any.
"""
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BACKTICKS = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.+-]+(/[\w.+-]+)+/?")
PLACEHOLDER = re.compile(r"/(NAME|STAGE)\b|/NAME_")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def tracked_files(repository):
    listing = subprocess.run(["git", "-C", repository, "ls-files", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, text=True, check=True).stdout.split("\n")
    return {line for line in listing if line and (repository / line).exists()}


def anchors_of(text):
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class repository_paths:
    def __init__(self, files):
        self.endings = set()  # of paths of files and directories, with and without extension
        self.directories = set()  # the names of directories
        for file in files:
            parts = file.split("/")
            self.directories.update(parts[:-1])
            for last in range(1, len(parts) + 1):
                for first in range(last):
                    path = "/".join(parts[first:last])
                    self.endings.add(path)
                    if last == len(parts):
                        self.endings.add(re.sub(r"\.\w+$", "", path))

    def misses(self, path):
        return path.split("/")[0] in self.directories and path.rstrip("/") not in self.endings


def check(repository, document, files, paths):
    text = (repository / document).read_text()
    prose = FENCE.sub("", text)
    for target in LINK.findall(prose):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (repository / document).parent / name if name else repository / document
        if not file.exists():
            yield f"{document}: no file {target}"
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text()):
            yield f"{document}: no heading {target}"
    for code in BACKTICKS.findall(prose):
        if PATH.fullmatch(code) and not PLACEHOLDER.search(code) and paths.misses(code):
            yield f"{document}: no path `{code}`"


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    if repository.is_file():
        repository = repository.parent.parent
    files = tracked_files(repository)
    paths = repository_paths(files)
    documents = sorted(file for file in files if file.endswith(".md"))
    findings = [finding for document in documents for finding in check(repository, document, files, paths)]
    print("\n".join(findings) or f"{len(documents)} documents, nothing missing")
    return 1 if findings or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
