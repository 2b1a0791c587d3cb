# SPDX-License-Identifier: Apache-2.0
"""Builds docs/ and the pages of the root as a site, and checks all links:  docs_site.py SOURCE SITE

SOURCE is the project's folder, SITE a folder that is made or replaced. The generator is MkDocs with the theme Material (Debian
packages mkdocs and mkdocs-material); no network is needed, neither here nor to read the site. The navigation follows the
indexes: docs/README.md, and README.md of each folder in docs/. Faults are printed one per line: a page that no index links
to, a file, page or heading that a link does not find. The status is then 1.
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
INDEX = "docs/README.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
# JSON is YAML but for one value: the names of headings in links are to be those that code hosts give them.
SLUGIFY = '!!python/object/apply:pymdownx.slugs.slugify {"kwds": {"case": "lower"}}'


def local(url):
    """The path of a link to another file of the project or site; empty for a link to elsewhere or within the page."""
    parts = urllib.parse.urlsplit(url)
    return "" if parts.scheme or parts.netloc else urllib.parse.unquote(parts.path)


def prose(page):
    """The Markdown of a page without its code."""
    text = re.sub(r"^(```.*?^```|(    |\t).*?$)", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def linked(source, page):
    """Paths, relative to the source, of the files that a page links to, in their order."""
    for url in LINK.findall(prose(source / page)):
        if local(url):
            path = (source / page).parent.joinpath(local(url)).resolve()
            yield path.relative_to(source).as_posix() if path.is_relative_to(source) else url


def stage(source, folder):
    """Copies the pages and the files that they link to, under the same paths, so that no link changes. Returns the pages
    and the faults."""
    pages = ROOT_PAGES + sorted(path.relative_to(source).as_posix() for path in (source / "docs").rglob("*.md"))
    faults = []
    for page in pages:
        for path in [page, *linked(source, page)]:
            if (source / path).is_file():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source / path, folder / path)
            else:
                faults.append(f"{page}: a link leads to {path}, which is not a file of the project")
    return pages, faults


def navigation(source, pages):
    """MkDocs' `nav`: a section for each heading of the index. Also returns the faults."""
    placed = {"README.md", INDEX}

    def place(paths):
        entries = []
        for path in paths:
            if path not in pages or path in placed:
                continue
            placed.add(path)
            if path.endswith("/README.md"):  # the index of a folder: a section of its own
                folder = path.rpartition("/")[0] + "/"
                title = (source / path).read_text().split("\n", 1)[0].lstrip("# ")
                entries.append({title: [path, *place(p for p in linked(source, path) if p.startswith(folder))]})
            else:
                entries.append(path)
        return entries

    sections = re.split(r"^## +(.*)\n", (source / INDEX).read_text(), flags=re.MULTILINE)
    nav = [{"Overview": "README.md"}, {"All pages": INDEX}]
    for title, text in [("Learn", sections[0]), *zip(sections[1::2], sections[2::2])]:
        paths = [(source / "docs" / local(url)).resolve().relative_to(source).as_posix() for url in LINK.findall(text)]
        nav.append({title: place(paths)})
    return nav, [f"{page}: no index links to this page; add it to {INDEX}" for page in pages if page not in placed]


def generate(folder, nav, site, config):
    config.write_text(json.dumps({
        "site_name": "Starloom",
        "docs_dir": str(folder),
        "site_dir": str(site),
        "use_directory_urls": False,  # so that the pages can be opened as files, too
        "theme": {"name": "material", "font": False, "palette": {"primary": "indigo"},
                  "features": ["navigation.indexes", "navigation.top", "search.highlight"]},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "fenced_code", {"toc": {"permalink": True, "slugify": "SLUGIFY"}}],
        "nav": nav,
    }).replace('"SLUGIFY"', SLUGIFY))
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file", config], check=True)


class Page(html.parser.HTMLParser):
    """The links and the names of the parts of a page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.names = set(), {""}
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        self.links |= {attributes[key] for key in ("href", "src") if attributes.get(key)}


def check_links(site):
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    for path, page in pages.items():
        for url in sorted(page.links):
            parts = urllib.parse.urlsplit(url)
            if parts.scheme or parts.netloc:
                if not url.startswith(("https://", "http://", "mailto:")):
                    yield f"{path.relative_to(site)}: {url} is not a web address"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: {url} leads to no file"
            elif target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].names:
                yield f"{path.relative_to(site)}: {url} leads to no heading"


def main(source, site):
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "pages")
        pages, faults = stage(source, folder)
        nav, more = navigation(source, pages)
        faults += more
        if not faults:
            generate(folder, nav, site, pathlib.Path(work, "mkdocs.yml"))
            faults = list(check_links(site))
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
