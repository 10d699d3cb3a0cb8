"""Files that a script generates."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write(files: dict[Path, str]) -> None:
    """Writes the files that differ from their text."""
    for path in stale(files):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")


def check(files: dict[Path, str], command: str) -> int:
    """The exit status: 1 if any file is out of date, which is printed with the command to run."""
    outdated = stale(files)
    for path in outdated:
        print(f"{path.relative_to(ROOT)} is out of date: run `{command}`")
    return int(bool(outdated))


def stale(files: dict[Path, str]) -> list[Path]:
    """The files that are missing or differ from their text."""
    return [
        path
        for path, text in files.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
