"""No module imports itself by way of others, not even a package its own parts and they it.

import-linter's contract holds this between siblings; here the packages' own `__init__` count too.
"""

import grimp
import networkx
from test_sizes import PACKAGES


def circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """The groups of modules that import each other in a circle."""
    imports = networkx.DiGraph(
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    )
    groups = networkx.strongly_connected_components(imports)
    return [sorted(group) for group in groups if len(group) > 1]


def test_a_circle_is_found() -> None:
    graph = grimp.ImportGraph()
    for module, other in (("a", "a.b"), ("a.b", "a.c"), ("a.c", "a"), ("a.c", "d")):
        graph.add_import(importer=module, imported=other)
    assert circles(graph) == [["a", "a.b", "a.c"]]


def test_no_module_imports_itself_by_way_of_others() -> None:
    packages = [package for package in PACKAGES if package != "tests"]
    graph = grimp.build_graph(*packages, cache_dir=None)
    assert len(graph.modules) > 400 and circles(graph) == []
