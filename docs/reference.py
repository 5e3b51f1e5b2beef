"""Write the reference from the code: ``python docs/reference.py``.

Names, types, bounds and defaults of settings are those of :class:`jobs.config.Configuration`, and
meanings are the docstrings there. Of a command the reference has what ``--help`` prints, of a name
of ``distval`` how it is called and the first line of its docstring.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

import distval
from evaluator.whole_files import write_whole
from jobs import config
from jobs.cli.app import app

HOME = Path(__file__).parent
WIDTH = 100  # of help, in characters

_SETTINGS = """# Settings

All settings of a run; [run configurations](configuration.md) says how they are given. The setting
`section.key` is `key` in `[section]` of the TOML file. One with the default – has to be given.
"""

_COMMANDS = """# Commands

What `--help` says of each command; `distval` stands for `.venv/bin/distval`. Commands exit with 0,
with 1 if the answer is no, and with 2 for bad input, which they tell in one line.
"""

_NAMES = """# Names of the package

All that `import distval` offers. [From Python](python.md) has examples; `help(distval.wilson)` and
the like have the details.
"""

_MADE = "<!-- Made from the code by docs/reference.py (`make reference`): change it there. -->\n"


def settings() -> str:
    """Return the reference of settings, a table for each section."""
    schema, told = config.Configuration.model_json_schema(), _docstrings()
    sections: dict[str, list[str]] = {"": []}
    abouts = {"": "Settings of the whole run."}
    for name, field in schema["properties"].items():
        kind = _resolved(field, schema)
        if "properties" not in kind:
            doc = told["Configuration"][name]
            sections[""].append(_row(name, field, name in schema["required"], doc, schema))
            continue
        about = told[kind["title"]]
        abouts[name] = about[""]
        sections[name] = [
            _row(f"{name}.{key}", one, key in kind.get("required", ()), about[key], schema)
            for key, one in kind["properties"].items()
        ]
    return "\n".join([_SETTINGS, _MADE, *(_section(n, abouts[n], r) for n, r in sections.items())])


def commands() -> str:
    """Return the reference of commands: the help of each, groups before their members."""
    return "\n".join([_COMMANDS, _MADE, *_helps(typer.main.get_command(app), "distval", None)])


def names() -> str:
    """Return the reference of the package: its functions, and its types."""
    things = {name: getattr(distval, name) for name in sorted(distval.__all__, key=str.lower)}
    types = {name: thing for name, thing in things.items() if isinstance(thing, type)}
    functions = [_called(n, thing) for n, thing in things.items() if n not in types]
    lines = ["| function | |", "|---|---|", *functions]
    lines += ["", "| type | |", "|---|---|"]
    lines += [f"| `{name}` | {_first_line(thing)} |" for name, thing in types.items()]
    return "\n".join([_NAMES, _MADE, *lines, ""])


def _called(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    bare = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    call = signature.replace(parameters=bare, return_annotation=signature.empty)
    return f"| `{name}{call}` | {_first_line(function)} |"


def _first_line(thing: Any) -> str:
    """Return the first line of a docstring, its reStructuredText as Markdown."""
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    return re.sub(r"(?::\w+:)?`+([^`]+)`+", r"`\1`", line).replace("|", "\\|")


def _section(name: str, about: str, rows: list[str]) -> str:
    heading = f"## {name}" if name else "## Before the first section"
    table = ["| setting | value | default | meaning |", "|---|---|---|---|", *rows]
    return "\n".join([heading, "", about, "", *table, ""])


def _row(name: str, field: Any, required: bool, about: str, schema: Any) -> str:
    default = field.get("default")
    shown = f"`{json.dumps(default, ensure_ascii=False)}`"
    if required:
        shown = "–"
    elif default in (None, "", [], {}):
        shown = "none"
    return f"| `{name}` | {_values(field, schema)} | {shown} | {about} |"


def _values(field: Any, schema: Any) -> str:
    """Return in words which values a setting takes."""
    kinds = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
    if len(kinds) > 1:
        return ", ".join(_values(one, schema) for one in kinds)
    field = _resolved(field, schema)
    match field.get("type"):
        case "boolean":
            return "`true`, `false`"
        case "integer" | "number" as kind:
            word = {"integer": "whole number", "number": "number"}[kind]
            return ", ".join([word, *_bounds(field)])
        case "array":
            return f"list: {_values(field['items'], schema)}"
        case "string" if "enum" in field:
            return ", ".join(f'`"{value}"`' for value in field["enum"])
        case "string" if field.get("format") == "path":
            return "path"
        case "object" if "properties" not in field:
            return "section"
    return "text"


def _bounds(field: Any) -> Iterator[str]:
    words = {
        "exclusiveMinimum": "above",
        "minimum": "at least",
        "maximum": "at most",
        "exclusiveMaximum": "below",
    }
    if {"minimum", "maximum"} <= field.keys():
        yield f"{field['minimum']:,} to {field['maximum']:,}"
    else:
        yield from (f"{word} {field[key]:,}" for key, word in words.items() if key in field)


def _resolved(field: Any, schema: Any) -> Any:
    """Return what a field refers to, without its "| None"."""
    if "anyOf" in field:
        field = next(one for one in field["anyOf"] if one.get("type") != "null")
    name = field.get("$ref", "").rpartition("/")[2]
    return schema["$defs"][name] if name else field


def _docstrings() -> dict[str, dict[str, str]]:
    """Return the docstring of each class of settings (by ""), and those of its fields.

    Pydantic would find them too, but each time that the program starts.
    """
    tree = ast.parse(Path(config.__file__).read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        found[node.name] = {"": inspect.cleandoc(ast.get_docstring(node) or "")}
        for field, after in zip(node.body, node.body[1:], strict=False):
            match field, after:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found[node.name][name] = " ".join(text.split())
    return found


def _helps(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.context_class(
        command,
        info_name=name,
        parent=parent,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        **command.context_settings,
    )
    path = context.command_path
    level = "##" if path.count(" ") < 2 else "###"
    yield f"{level} {path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, TyperGroup):
        for each, member in command.commands.items():
            yield from _helps(member, each, context)


PAGES = {"settings.md": settings, "commands.md": commands, "names.md": names}

if __name__ == "__main__":
    for page, made in PAGES.items():
        write_whole(HOME / page, made())
