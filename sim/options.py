"""Rule options: typed, read from TOML or `key=value`, with errors a designer can act on."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import Mistake, nearest

MOST_FAULTS = 10  # told at once


class Options(BaseModel):
    """Base of a game's options: no unknown key, no silent conversion."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
        raise Mistake(f"{where}: {describe_faults(model, error)}") from None


def describe_faults(model: type[BaseModel], error: ValidationError) -> str:
    """The faults of a pydantic error as one sentence, at most MOST_FAULTS of them."""
    faults = error.errors()
    # A misspelt key is a missing one too: tell the misspelling.
    misspelt = {fault["loc"][:-1] for fault in faults if fault["type"] == "extra_forbidden"}
    faults = [
        fault for fault in faults if fault["type"] != "missing" or fault["loc"][:-1] not in misspelt
    ]
    told = [_describe(model, fault) for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        told.append(f"and {len(faults) - MOST_FAULTS} faults more")
    return "; ".join(told) + "."


def _describe(model: type[BaseModel], fault: Mapping[str, Any]) -> str:
    path = [str(part) for part in fault["loc"] if str(part) != "[key]"]
    key = ".".join(path)
    if fault["type"] == "extra_forbidden":
        return f"there is no key {key!r}{nearest(path[-1], _keys(model, path[:-1]))}"
    if fault["type"] == "missing":
        return f"the key {key!r} is missing"
    reason = fault["msg"].removeprefix("Value error, ")
    reason = reason.removeprefix("Input should be ").rstrip(".")
    if fault["type"] in ("value_error", "assertion_error"):
        return f"{key + ': ' if key else ''}{reason}"
    given = fault["input"]
    hint = ""
    if fault["type"] == "literal_error" and isinstance(given, str):
        hint = nearest(given, re.findall(r"'([^']*)'", fault["ctx"]["expected"]))
    shown = repr(given)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    return f"{key} = {shown} is not possible: it should be {reason}{hint}"


def _keys(model: Any, path: list[str]) -> list[str]:
    """Keys a table of the model may have; a list of tables counts as its table."""
    for part in path:
        if part.isdigit():
            continue
        field = model.model_fields.get(part)
        if field is None:
            return []
        model = field.annotation
        while not hasattr(model, "model_fields"):
            inner = getattr(model, "__args__", ())
            if not inner:
                return []
            model = inner[0]
    return [field.alias or name for name, field in model.model_fields.items()]


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
