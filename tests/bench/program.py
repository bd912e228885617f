"""Programs that tests of this folder put in the place of real ones."""

import os


def write(path, text):
    """An executable file, with the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
