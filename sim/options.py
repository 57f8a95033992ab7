"""Rule options: typed, read from TOML or `key=value`, with errors a designer can act on."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sim.errors import Mistake, closest, nearest

MOST_FAULTS = 10  # told at once


class Options(BaseModel):
    """Base of a game's options: no unknown key, no silent conversion."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _keys_as_text(cls, values: Any) -> Any:
        """In Python the entry for four players may be written 4 as well as "4"."""
        if not isinstance(values, Mapping):
            return values
        return {str(key): value for key, value in values.items()}

    def batch_fault(self) -> str | None:
        """Why games with these options cannot be played by the thousand, if so, as a sentence."""
        return None

    @classmethod
    def unit_of(cls, name: str) -> str:
        """The unit of an option, "$" or "$k" for money; empty where there is none."""
        field = cls.model_fields.get(name)
        return (field.json_schema_extra or {}).get("unit", "") if field else ""

    @classmethod
    def players_of(cls, key: str) -> int | None:
        """The number of players that a setting such as `starting_money.4` is for."""
        name, _, entry = key.partition(".")
        return int(entry) if entry.isdecimal() and cls._is_a(name, ByPlayers) else None

    @classmethod
    def is_by_seat(cls, name: str) -> bool:
        """Whether an option has an entry for each seat, of which a small table needs the first."""
        return cls._is_a(name, BySeat)

    @classmethod
    def _is_a(cls, name: str, base: type) -> bool:
        kind = cls.model_fields[name].annotation if name in cls.model_fields else None
        return isinstance(kind, type) and issubclass(kind, base)


class ByPlayers(Options):
    """Base of an option with an entry for each number of players, its alias: "3", "4"."""


class BySeat(Options):
    """Base of an option with an entry for each seat, its alias: "1" for the first."""


def whole(default: int, low: int, high: int, text: str, unit: str = "", **more: Any) -> Any:
    """The field of an option that is a whole number, with a line on what it is."""
    extra = {"unit": unit} if unit else None
    return Field(
        default, strict=True, ge=low, le=high, description=text, json_schema_extra=extra, **more
    )


def read_toml(path: Path | str) -> dict:
    """The document in a TOML file. Raises Mistake when it cannot be read."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Mistake(f"{path}: there is no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{path}: it cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise Mistake(f"{path}: it is not valid TOML: {error}.") from None


def validate(model: type[BaseModel], values: Mapping[str, Any], where: str) -> Any:
    """The model filled with `values`; a Mistake tells all faults found in them.

    `where` opens the sentence: a file's name, or "--set".
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise Mistake(f"{where}: {describe_faults(model, error, values)}") from None


def describe_faults(model: type[BaseModel], error: ValidationError, document: Any) -> str:
    """The faults pydantic found in a document as one sentence, at most MOST_FAULTS of them."""
    faults = error.errors()
    # A misspelt key is a missing one too: tell the misspelling.
    misspelt = {fault["loc"][:-1] for fault in faults if fault["type"] == "extra_forbidden"}
    faults = [
        fault for fault in faults if fault["type"] != "missing" or fault["loc"][:-1] not in misspelt
    ]
    # A plain value for a table of options is wrong in each of its entries: told once.
    values = Counter(map(_value_of, faults)) if issubclass(model, Options) else {}
    told = [
        _describe(model, document, fault, values.get(_value_of(fault), 1) > 1) for fault in faults
    ]
    told = list(dict.fromkeys(told))
    if len(told) > MOST_FAULTS:
        told[MOST_FAULTS:] = [f"and {len(told) - MOST_FAULTS} faults more"]
    return "; ".join(told) + "."


def _value_of(fault: Mapping[str, Any]) -> tuple:
    """A faulty value, with its table and what is wrong with it."""
    return fault["loc"][:-1], fault["type"], repr(fault["input"])


# What a value should be, by pydantic's name of the fault; in braces, what it knows of it.
_SHOULD_BE = {
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a finite number",
    "bool": "true or false",
    "string": "a text",
    "list": "a list",
    "dict": "a table",
    "model": "a table",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_too_short": "a text of {min_length} or more letters",
    "too_short": "a list of {min_length} or more items",
    "too_long": "a list of at most {max_length} items",
}
_PATTERNS = {
    r"^[a-z0-9_]+$": "made of small letters, digits and _",
    r"^#[0-9a-fA-F]{6}$": "a colour such as '#1f6fa8'",
    r"^[A-Z]$": "a capital letter",
    r"^(rulebook|reconstruction|assumption)\b|^sourced: ?\w": (
        "'rulebook', 'sourced: ...', 'reconstruction' or 'assumption', and more words if need be"
    ),
}


def _describe(
    model: type[BaseModel], document: Any, fault: Mapping[str, Any], is_of_table: bool
) -> str:
    entry, model, path = _entry(model, document, fault["loc"])
    return entry + _describe_in(model, path, fault, is_of_table)


def _entry(model: type[BaseModel], document: Any, loc: tuple) -> tuple[str, type[BaseModel], list]:
    """What a fault in a list lies in, as its writer calls it; its model; the path from there on."""
    path = [part for part in loc if part != "[key]"]
    name, inner, rest = "", model, path
    for depth, part in enumerate(path, 1):
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(part, int) and isinstance(document, Mapping):
            kind = _model_at(model, path[:depth])
            if hasattr(kind, "called"):
                name, inner, rest = f"{kind.called(document, part + 1)}: ", kind, path[depth:]
        elif isinstance(part, int) and depth < len(path):  # a list in a list
            name, rest = f"{name}{'.'.join(map(str, rest[:-2]))} {document}: ", []
    return name, inner, rest


def _describe_in(
    model: type[BaseModel], path: list, fault: Mapping[str, Any], is_of_table: bool
) -> str:
    key = ".".join(map(str, path))
    kind, given, known = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "extra_forbidden":
        return f"there is no key {key!r}{nearest(str(path[-1]), _keys(model, path[:-1]))}"
    if kind == "missing":
        return f"the key {key!r} is missing"
    if kind in ("value_error", "assertion_error"):
        reason = fault["msg"].removeprefix("Value error, ").rstrip(".")
        return f"{key + ': ' if key else ''}{reason}"
    hint = ""
    if kind == "string_pattern_mismatch":
        reason = _PATTERNS.get(known["pattern"], f"of the form {known['pattern']}")
    elif kind == "literal_error":
        reason = known["expected"]
        close = closest(str(given), re.findall(r"'([^']*)'", reason))
        hint = f"; the nearest is {close[0]!r}" if close else ""
    else:
        plain = _SHOULD_BE.get(re.sub("_(type|parsing|from_float)$", "", kind))
        reason = plain.format(**known) if plain else fault["msg"].removeprefix("Input should be ")
    if is_of_table and len(path) > 1:
        key = ".".join(map(str, path[:-1]))
    shown = repr(given)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    subject = f"{key} = {shown}" if key else shown
    return f"{subject} is not possible: it should be {reason}{hint}"


def _keys(model: type[BaseModel], path: list) -> list[str]:
    """Keys a table of the model may have."""
    found = _model_at(model, path)
    return [field.alias or name for name, field in found.model_fields.items()] if found else []


def _model_at(model: Any, path: list) -> type[BaseModel] | None:
    """The model of the table at a path; a list of tables counts as its table."""
    for part in path:
        if isinstance(part, int):
            continue
        field = model.model_fields.get(part)
        if field is None:
            return None
        model = field.annotation
        while not hasattr(model, "model_fields"):
            inner = getattr(model, "__args__", ())
            if not inner:
                return None
            model = inner[0]
    return model


def with_settings(
    model: type[Options],
    values: Mapping[str, Any],
    settings: Mapping[str, Any],
    where: str = "--set",
) -> dict[str, Any]:
    """`values` changed by `settings`, whose keys may be dotted: `starting_money.4`.

    A plain value for an option that is a table sets every entry of that table.
    Raises Mistake for an unknown key; `where` opens its sentence.
    """
    values = {
        key: dict(value) if isinstance(value, Mapping) else value for key, value in values.items()
    }
    # A plain value first, so that one for an entry holds in any order.
    for key, value in sorted(settings.items(), key=lambda setting: "." in setting[0]):
        name, _, entry = key.partition(".")
        if name not in model.model_fields:
            raise Mistake(
                f"{where}: there is no option {key!r}{nearest(name, model.model_fields)}."
            )
        table = values.get(name)
        if entry:
            if not isinstance(table, dict):
                raise Mistake(f"{where}: {name!r} is one value; write {name}={value}.")
            entries = {str(known): known for known in table}
            if entry not in entries:
                raise Mistake(f"{where}: {name} has no entry {entry!r}{nearest(entry, entries)}.")
            table[entries[entry]] = value
        elif isinstance(table, dict) and not isinstance(value, Mapping):
            values[name] = dict.fromkeys(table, value)
        elif isinstance(table, dict):
            values[name] = {**table, **value}
        else:
            values[name] = value
    return values
