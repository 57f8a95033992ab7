"""Board files made up for a test."""


def with_basis(document: dict) -> dict:
    """The document with a basis for each entry that has none."""

    def rest(entry: object) -> object:
        return {"basis": "assumption"} | entry if isinstance(entry, dict) else entry

    return {
        key: value
        if key in ("options", "sources")
        else [rest(entry) for entry in value]
        if isinstance(value, list)
        else rest(value)
        for key, value in document.items()
    }
