"""Values between Python and the wire: money is a Decimal, and a time has a time zone."""

from __future__ import annotations

import functools
import keyword
import re
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Dict, Mapping, Optional, Sequence, Union, get_args, get_origin, get_type_hints

from . import _types
from ._operation import _Unset

# Every price has fewer digits on each side of the point.
_DECIMAL = re.compile(r"[0-9]{1,64}(?:\.[0-9]{1,64})?")


def canonical_decimal(value: object) -> Optional[str]:
    """The canonical form of a decimal: ``12.5`` for ``12.50`` and for ``012.5``. None for any other value."""
    text = format(value, "f") if isinstance(value, Decimal) else value
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        return None
    whole, _, fraction = text.partition(".")
    digits, rest = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{digits}.{rest}" if rest else digits


def encode(value: Any, place: str) -> Any:
    """A value as JSON has it.

    :raises TypeError: for a float, and :raises ValueError: for a time without a zone and a Decimal that is no number.
    """
    if isinstance(value, float):
        raise TypeError(
            f"{place} is the float {value!r}: a float cannot hold most amounts exactly. Use Decimal(\"12.50\") or \"12.50\"."
        )
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{place} must be a number, not {value}.")
        return format(value, "f")
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{place} has no time zone: use datetime.now(timezone.utc), or give it a tzinfo.")
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: encode(item, f"{place}.{key}") for key, item in value.items() if not isinstance(item, _Unset)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [encode(item, f"{place}.{index}") for index, item in enumerate(value)]
    return value


def decode(hint: Any, value: Any) -> Any:
    """A value of an answer as its type. A field that an older service does not send is None.

    :raises ValueError: TypeError or ArithmeticError for a value of another form.
    """
    if value is None:
        return None
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union:
        return decode(arguments[0], value)
    if origin is list:
        return [decode(arguments[0], item) for item in _instance(list, value)]
    if origin is dict:
        return {key: decode(arguments[1], item) for key, item in _instance(dict, value).items()}
    if hint is Decimal:
        return Decimal(_instance(str, value))
    if hint is datetime:
        return datetime.fromisoformat(re.sub("Z$", "+00:00", _instance(str, value)))
    return _record(hint, value) if is_dataclass(hint) else value


def decode_event(body: Mapping[str, Any]) -> _types.WebhookEvent:
    """An event by its name. :raises ValueError: and the like for a body of another form."""
    kind = _types.EVENTS.get(body["event"], _types.EventRow) if body.get("data") is not None else _types.EventRow
    event: _types.WebhookEvent = decode(kind, body)
    return event


def _record(kind: Any, value: Any) -> Any:
    given = {_attribute(name): item for name, item in _instance(dict, value).items()}
    return kind(**{name: decode(hint, given.get(name)) for name, hint in _hints_of(kind).items()})


@functools.lru_cache(maxsize=None)
def _hints_of(record: Any) -> Dict[str, Any]:
    hints = get_type_hints(record)
    return {item.name: hints[item.name] for item in fields(record)}


@functools.lru_cache(maxsize=4096)
def _attribute(name: str) -> str:
    plain = re.sub(r"(?<=[a-z0-9])[A-Z]", lambda letter: "_" + letter.group(), name).lower()
    return plain + "_" if keyword.iskeyword(plain) else plain


def _instance(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
