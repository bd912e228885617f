"""Tables of CSV files."""
import csv


def rows_of(path):
    """The rows of a table, numbers as numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: number_of(text) for name, text in row.items()} for row in csv.DictReader(file)]


def number_of(text):
    """A cell: a whole number, a number, None if empty, else its words."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
