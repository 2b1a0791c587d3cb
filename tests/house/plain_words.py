# SPDX-License-Identifier: Apache-2.0
"""Texts for users without the phrases of plain_words.txt:  plain_words.py ROOT

Silent with status 0 if there are none; else FILE:LINE: phrase -> instead, one per line, and status 1. The string literals of
the program are searched (adjacent literals as one text), the comments of all sources, scripts and YAML files, and the pages that
plain_words.txt names, paragraph by paragraph, without their code.
"""
import pathlib
import re
import sys

PROGRAM = ["modules", "tlm", "testbenches", "waveforms", "sc_main"]
COMMENTED = [*PROGRAM, "cmake", "docs", "tests"]
SOURCES, SCRIPTS = (".cpp", ".hpp", ".js"), (".cmake", ".py", ".sh", ".yaml")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)'|R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)"
                       |"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""", re.DOTALL | re.VERBOSE)


def read_rules(file):
    phrases, pages = [], []
    for line in file.read_text().splitlines():
        if line.startswith("page "):
            pages.append(line[5:])
        elif line and not line.startswith("#"):
            pattern, instead = line.split(" => ")
            phrases.append((re.compile(pattern), instead))
    return phrases, pages


def literals(source):
    """(line, text) of each string; those with only white space and comments between them are one."""
    text, line, end = "", 0, None
    for token in TOKEN.finditer(source):
        raw = token.group()
        if raw[0] == "/" and end is not None and not source[end:token.start()].strip():
            end = token.end()
        if raw[0] in "/'":
            continue
        content = raw[raw.index("(") + 1:raw.rindex(")")] if raw[0] == "R" else raw[1:-1]
        if end is None or source[end:token.start()].strip():
            if text:
                yield line, text
            text, line = "", source.count("\n", 0, token.start()) + 1
        text += content
        end = token.end()
    if text:
        yield line, text


def comments(source):
    """(line, text) of each comment: the lines of a block up to an empty one, a list item or a Doxygen command are one text."""
    text, first, last, mark = "", 0, -1, False
    for token in TOKEN.finditer(source):
        if not token.group().startswith("//"):
            continue
        line = source.count("\n", 0, token.start()) + 1
        content = re.sub(r"^///?<? ?", "", token.group())
        trailing = token.group().startswith("///<") or source[:token.start()].rpartition("\n")[2].strip()
        same = line == last + 1 and token.group().startswith("///") == mark
        if text and (not same or trailing or not content or re.match(r"- |\d+\. |\\(?!file)", content)):
            yield first, text
            text = ""
        if not text:
            first = line
        text += (" " if text else "") + re.sub(r"^\\file +", "", content)
        last, mark = -1 if trailing else line, token.group().startswith("///")
    if text:
        yield first, text


def hash_comments(script):
    """(line, text) of each comment of a script or a YAML file; consecutive lines are one text."""
    text, first = "", 0
    for line, content in enumerate(script.splitlines() + [""], 1):
        comment = re.match(r"\s*#(?!!) ?(.*)", content)
        if text and not (comment and comment.group(1)):
            yield first, text
            text = ""
        if comment and comment.group(1):
            if not text:
                first = line
            text += (" " if text else "") + comment.group(1)
        elif not comment and "  # " in content:
            yield line, content.rpartition("  # ")[2]


def paragraphs(page):
    """(line, text) of each paragraph, list item, table cell and heading."""
    text, first = "", 0
    for number, line in enumerate(page.splitlines() + [""], 1):
        indented, cells = line.startswith("    "), line.startswith("|")
        if not line.strip() or indented or cells or re.match(r"#|- |\d+\. |  - ", line):
            if text:
                yield first, text
            text = ""
        if cells:
            for cell in re.split(r"(?<!\\)\|", line):
                yield number, cell.strip()
        elif line.strip() and not indented:
            if not text:
                first = number
            text += (" " if text else "") + re.sub(r"^(#+|-|\d+\.) +", "", line.strip())


def main(root):
    phrases, pages = read_rules(pathlib.Path(__file__).with_name("plain_words.txt"))
    found = []

    def search(file, line, text):
        for pattern, instead in phrases:
            for match in pattern.finditer(text):
                found.append(f"{file}:{line}: {match.group().strip()} -> {instead}")

    for folder in PROGRAM:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SOURCES:
                for line, text in literals(file.read_text()):
                    if " " in text:
                        search(file, line, text.replace("\\n", "\n").replace('\\"', '"'))
    for folder in COMMENTED:
        for file in sorted((root / folder).rglob("*")):
            read = hash_comments if file.suffix in SCRIPTS or file.name == "CMakeLists.txt" else comments
            if read is hash_comments or file.suffix in SOURCES:
                for line, text in read(file.read_text()):
                    search(file, line, re.sub(r"`[^`]*`", "``", text))
    for page in pages:
        if (root / page).exists():
            for line, text in paragraphs((root / page).read_text()):
                search(root / page, line, re.sub(r"`[^`]*`", "``", text))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
