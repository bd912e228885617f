"""Questions to a trace in SQL: the files of traces/perfetto, which Perfetto's trace processor reads as
well, or one's own."""
import sqlite3
from pathlib import Path

from gridloom.perfetto import tables_of
from gridloom.program import WrongInput


def folder():
    """Where the files are: in the tree, or installed beside the package."""
    here = Path(__file__).resolve()
    for place in (here.parents[3] / "traces/perfetto", here.parents[4] / "share/gridloom/traces/perfetto"):
        if place.is_dir():
            return place
    raise WrongInput(1, "no files of SQL beside the package: traces/perfetto is missing")


def names():
    """The questions that have a file."""
    return sorted(path.stem for path in folder().glob("*.sql"))


def text_of(question):
    """The SQL of a question: the file of that name, or the text itself."""
    if " " in question.strip():
        return question
    path = folder() / f"{question}.sql"
    if not path.is_file():
        raise WrongInput(1, f"no question '{question}'; known: {', '.join(names())}, or any SQL")
    return path.read_text(encoding="utf-8")


class Base:
    """A trace's tables."""

    def __init__(self, path):
        self.tables = tables_of(path)

    def rows(self, question):
        """The answer: a list of rows, each a dict."""
        try:
            return [dict(row) for row in self.tables.execute(text_of(question))]
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise WrongInput(1, f"SQL: {error}") from error
