"""What the generated operations are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, List, Optional, Tuple, TypeVar, Union

from ._types import CreatedDepositAddress, DepositAddress

T = TypeVar("T")

Money = Union[Decimal, str]
"""Money as a decimal: ``Decimal("12.50")`` or ``"12.50"``. A float is refused, because it cannot hold most amounts."""


class _Unset:
    def __repr__(self) -> str:
        return "UNSET"


UNSET: Any = _Unset()
"""A field that is not sent, unlike ``None``, which is sent as null."""


@dataclass(frozen=True)
class CallOptions:
    """The options of one call."""

    timeout: Optional[float] = None
    """The limit of each try in seconds, instead of the client's."""
    correlation_id: Optional[str] = None
    """Sent as ``x-correlation-id``, and repeated in errors and the operator's logs; at most 128 printable ASCII characters."""


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the contract."""

    name: str
    """Its method and path: ``POST /v1/deposit-addresses``."""
    answer: Any = field(repr=False)
    """The type of the answer, of one row for a list."""
    is_keyless: bool = False
    is_repeatable: bool = False
    required: Tuple[str, ...] = ()
    """The fields that a body needs."""
    timeout: Optional[float] = None
    """The limit of each try in seconds, for an operation that takes longer than most."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, and the number of all rows."""

    data: List[T]
    page: int
    limit: int
    total: int


@dataclass(frozen=True)
class Feed(Generic[T]):
    """One page of a feed, oldest first."""

    data: List[T]
    limit: int
    next: Optional[str]
    """The ``after`` of the next call; None while there is no event."""
    has_more: bool
    """Whether more may follow now."""


@dataclass(frozen=True)
class File:
    """A downloaded file. It is held in memory: ask for a range that fits."""

    content: bytes = field(repr=False)
    type: str
    """Its media type: ``text/csv; charset=utf-8``."""
    name: Optional[str]
    """The name that the service gave it."""


@dataclass(frozen=True)
class OnceMade:
    """The order of a reference: new, or existing in any state."""

    is_new: bool
    order: Union[CreatedDepositAddress, DepositAddress]
