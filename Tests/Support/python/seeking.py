"""Which files of a run have a text that none may have."""

from pathlib import Path


def files_with(folder: Path, texts: list[str]) -> set[str]:
    """The files in which a word of the texts is, as it is or in hexadecimal."""
    words = [word.encode() for text in texts for word in text.split() if len(word.encode()) > 3]
    forms = [form for word in words for form in (word, word.hex().encode(), word.hex(" ").encode())]
    contents = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return {name for name, content in contents.items() if any(form in content for form in forms)}
