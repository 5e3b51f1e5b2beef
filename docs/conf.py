"""The documentation as a site, built by `make docs` from the pages as they stand.

README.md is the first page. Its section "Documentation" names all pages in groups; the site's
contents are made from it, so that a page which it lacks fails the build.
"""

import re

from sphinx.application import Sphinx

project = html_title = "distval"
extensions = ["myst_nb"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", "conf/sample/README.md"]
exclude_patterns = [".*", "build", "runs"]

nb_execution_mode = "off"  # a notebook is shown with the output that it was saved with
myst_heading_anchors = 4  # links to headings, as on code-hosting pages

html_theme = "furo"
html_show_search_summary = False  # it fetches pages, which browsers refuse from a disk
html_show_copyright = html_show_sourcelink = html_copy_source = False


def contents(readme: str) -> str:
    """Return a hidden table of contents for each group of pages that the README names."""
    _, _, groups = readme.partition("\n## Documentation\n")
    groups, _, _ = groups.partition("\n## ")
    tables = []
    for group in groups.split("\n### ")[1:]:
        caption, _, pages = group.partition("\n")
        names = re.findall(r"^\* \[.*?\]\((.+?)\.(?:md|ipynb)\)", pages, re.MULTILINE)
        table = ["```{toctree}", ":hidden:", f":caption: {caption}", *names, "```"]
        tables.append("\n".join(table))
    return "\n\n".join(tables)


def add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the table of contents to the README."""
    if page == root_doc:
        source[0] += "\n\n" + contents(source[0])


def setup(app: Sphinx) -> None:
    """Tell Sphinx of it."""
    app.connect("source-read", add_contents)
