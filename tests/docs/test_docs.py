"""What the documentation names exists: paths, links, commands with their options, code."""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.cli import build_parser

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = "rules|vision|device|calibration|models|kiosk|lab|tests|docs"
PATH = re.compile(rf"^(?:{PACKAGES}|\.ci)/[\w./-]*$|^[\w-]+\.(?:toml|md)$|^Makefile$")
MEMBER = re.compile(rf"^((?:{PACKAGES})/[\w/]+\.py): (\w+(?:\.\w+)?)(?:\(([^)]*)\))?")
# Files that docs name and that are no files of the project.
MADE_BY_USERS = {"deck.toml", "settings.toml"}
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


def spans(page: Path) -> Iterator[str]:
    """Every inline code span, and every line of the fenced shell blocks."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```(?:sh)?\n(.*?)```", text, re.DOTALL):
        yield from (line.split("  #")[0].strip() for line in block.splitlines())
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        yield span.strip()


def subparser(parser: argparse.ArgumentParser, word: str) -> argparse.ArgumentParser | None:
    """The parser of a command inside `parser`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices.get(word)
    return None


def has_commands(parser: argparse.ArgumentParser) -> bool:
    return any(isinstance(a, argparse._SubParsersAction) for a in parser._actions)


def wrong_command(line: str) -> str | None:
    """What of a `fairdeal …` line does not exist; None if all does."""
    words = line.split()
    parser: argparse.ArgumentParser = build_parser()
    rest = iter(words[1:])
    for word in rest:
        name = word.split("=")[0].strip("[],;")
        if name.startswith("--"):
            action = parser._option_string_actions.get(name)
            if action is None:
                return f"{name} of {line}"
            if action.nargs is None and "=" not in word and not word.endswith("]"):
                next(rest, None)  # the option's value is no command
        elif has_commands(parser) and word != "…" and not word.isupper():
            found = [subparser(parser, choice.strip("[]")) for choice in word.split("|")]
            if not all(found):
                return f"{word} of {line}"
            parser = found[0] or parser
    return None


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_path_exists(page):
    paths = [span for span in spans(page) if PATH.match(span) and span not in MADE_BY_USERS]
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_command_and_option_exists(page):
    lines = [span.removeprefix(".venv/bin/") for span in spans(page)]
    wrong = [wrong_command(line) for line in lines if re.match(r"fairdeal [a-z]", line)]
    assert [what for what in wrong if what] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_make_target_and_module_exists(page):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for span in spans(page):
        for target in re.findall(r"^(?:sudo )?make ([a-z][\w-]*)", span):
            assert target in targets, span
        for module in re.findall(r"python -m ([\w.]+)", span):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), span


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_name_in_a_module_exists(page):
    for span in spans(page):
        named = MEMBER.match(span)
        if named is None:
            continue
        path, name, arguments = named.groups()
        node = member(ast.parse((ROOT / path).read_text(encoding="utf-8")), name)
        assert node is not None, span
        wanted = [a.split(":")[0].split("=")[0].strip(" *") for a in (arguments or "").split(",")]
        assert {a for a in wanted if a and a != "…"} <= parameters(node), span


def test_every_question_of_a_newcomer_has_one_answer():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    answers = re.findall(r"^\| (Where [^|]+\?) \| ([^|]+) \|$", text, re.MULTILINE)
    words = " ".join(question for question, _ in answers)
    for what in ("judged", "named", "drawn", "played", "printed", "signalled", "measured"):
        assert what in words
    for question, answer in answers:
        (path,) = re.findall(r"`([^`]+)`", answer)
        assert (ROOT / path).is_file(), question


def member(tree: ast.AST, name: str) -> ast.AST | None:
    """The definition of `Name` or `Class.method` in a module."""
    for part in name.split("."):
        found = [node for node in ast.iter_child_nodes(tree) if part in defined(node)]
        if not found:
            return None
        tree = found[0]
    return tree


def defined(node: ast.AST) -> set[str]:
    """The names that a statement defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def parameters(node: ast.AST) -> set[str]:
    """A function's parameters, a class's fields and those of its `__init__`."""
    if isinstance(node, ast.FunctionDef):
        named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return {argument.arg for argument in named}
    found: set[str] = set()
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
            found |= parameters(inner)
        found |= defined(inner)
    return found


def test_the_test_itself_finds_what_is_wrong():
    assert wrong_command("fairdeal referee suds --source 0") is None
    assert wrong_command("fairdeal refree suds") == "refree of fairdeal refree suds"
    assert wrong_command("fairdeal see --dack D IMAGE") == "--dack of fairdeal see --dack D IMAGE"
    assert member(ast.parse("class A:\n    def b(self, c): pass"), "A.b") is not None
    assert member(ast.parse("class A: pass"), "B") is None
