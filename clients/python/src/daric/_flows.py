"""The course of each call, shared by both clients: a flow yields each request and each pause, and a client carries them out."""

from __future__ import annotations

import functools
import json
import random
from dataclasses import dataclass
from typing import Any, Callable, Generator, List, Mapping, Optional, Sequence, TypeVar, Union

from . import _operations
from ._core import Answer, NoAnswer, Request, Settings, envelope_in, file_in, request_of, unexpected, unreachable
from ._operation import UNSET, CallOptions, Feed, File, OnceMade, Operation, Page
from ._retry import is_passing, is_repeatable, retry_wait
from ._types import DepositAddress, WebhookEvent
from ._wire import canonical_decimal, decode, decode_event, encode
from .errors import DaricError, FieldFault

T = TypeVar("T")


@dataclass(frozen=True)
class Pause:
    seconds: float


Flow = Generator[Union[Request, Pause], Union[Answer, NoAnswer, None], T]

MAX_ROWS = 100
_FIRST_WAIT_S = 1.0
_MAX_WAIT_S = 30.0


def call(settings: Settings, operation: Operation[T], options: Optional[CallOptions], **parts: Any) -> Flow[T]:
    """The answer of the service. :raises DaricError: if it refuses, cannot be reached or does not answer in time."""

    def read(answer: Answer) -> T:
        data: T = decode(operation.answer, envelope_in(settings, operation, answer)["data"])
        return data

    return (yield from _course(settings, operation, options, parts, read))


def page(settings: Settings, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Flow[Any]:
    """One page of a list or of a feed."""

    def read(answer: Answer) -> Any:
        body = envelope_in(settings, operation, answer)
        rows = [decode(operation.answer, row) for row in body["data"]]
        meta = body["meta"]
        if "has_more" in meta:
            return Feed(rows, meta["limit"], meta["next"], meta["has_more"])
        return Page(rows, meta["page"], meta["limit"], meta["total"])

    return (yield from _course(settings, operation, options, parts, read))


def file(settings: Settings, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Flow[File]:
    """A download, which has no envelope."""
    read = functools.partial(file_in, settings, operation)
    return (yield from _course(settings, operation, options, parts, read))


def read_on(
    settings: Settings, after: Optional[str], types: Sequence[str], on_fault: Optional[Callable[[DaricError], None]]
) -> Flow[Feed[WebhookEvent]]:
    """The next events; waits for an unreachable or overloaded service, up to 30 s between two calls."""
    query = {"limit": MAX_ROWS, "after": after or UNSET, "types": ",".join(types) or UNSET}

    def read(answer: Answer) -> Feed[WebhookEvent]:
        body = envelope_in(settings, _operations.LIST_EVENTS, answer)
        meta = body["meta"]
        return Feed([decode_event(row) for row in body["data"]], meta["limit"], meta["next"], meta["has_more"])

    faults = 0
    while True:
        try:
            return (yield from _course(settings, _operations.LIST_EVENTS, None, {"query": query}, read))
        except DaricError as fault:
            if not is_passing(fault):
                raise
            (on_fault or (lambda found: settings.warn(found.message)))(fault)
            wait = min(_FIRST_WAIT_S * 2.0 ** min(faults, 10), _MAX_WAIT_S)
            yield Pause(max(wait, float(fault.retry_after or 0)))
            faults += 1


def find_or_create(settings: Settings, options: Optional[CallOptions], body: Mapping[str, Any]) -> Flow[OnceMade]:
    """The order of a reference: found, or made if there is none."""
    create: Operation[Any] = _operations.CREATE_DEPOSIT_ADDRESS
    if not isinstance(body["orderRef"], str) or body["orderRef"] == "":
        raise ValueError("create_order_once needs the order_ref that the order is looked up by.")
    encode(body, "body")
    tries = 1
    while True:
        found = yield from _find(settings, options, body)
        if found is not None:
            return OnceMade(False, found)
        try:
            order = yield from call(settings, create, options, body=body)
            return OnceMade(True, order)
        except DaricError as failure:
            if not failure.is_outcome_unknown:
                raise
            # The order may exist nevertheless. If it is not visible yet, the caller asks again later.
            try:
                made = yield from _find(settings, options, body)
            except DaricError:
                made = None
            if made is not None:
                return OnceMade(False, made)
            # A 503 with Retry-After refused the order for now. After any other failure it may still be on its way.
            is_asked = failure.status == 503 and failure.retry_after is not None and tries <= settings.max_retries
            wait = retry_wait(failure, tries=tries, may_repeat=True, random=random.random()) if is_asked else None
            if wait is None:
                raise
            yield Pause(wait)
            tries += 1


def _course(
    settings: Settings,
    operation: Operation[Any],
    options: Optional[CallOptions],
    parts: Mapping[str, Any],
    read: Callable[[Answer], T],
) -> Flow[T]:
    """Sends a call, and retries it if that is safe."""
    request = request_of(settings, operation, parts, options or CallOptions())
    may_repeat = is_repeatable(operation, parts.get("body"))
    tries = 1
    while True:
        outcome = yield request
        try:
            if isinstance(outcome, NoAnswer):
                raise unreachable(settings, operation, outcome, request.timeout)
            assert outcome is not None
            return _read(settings, operation, outcome, read)
        except DaricError as failure:
            wait = retry_wait(failure, tries=tries, may_repeat=may_repeat, random=random.random())
            if wait is None or tries > settings.max_retries:
                raise
        yield Pause(wait)
        tries += 1


def _read(settings: Settings, operation: Operation[Any], answer: Answer, read: Callable[[Answer], T]) -> T:
    try:
        return read(answer)
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as fault:
        raise unexpected(settings, operation, answer) from fault


def _find(settings: Settings, options: Optional[CallOptions], body: Mapping[str, Any]) -> Flow[Optional[DepositAddress]]:
    """:raises DaricError: ORDER_REF_CONFLICT if the order has another price, UNEXPECTED_ANSWER if it has another reference."""
    order_ref = body["orderRef"]
    query = {"orderRef": order_ref, "kind": "order", "limit": MAX_ROWS}
    listed = yield from page(settings, _operations.LIST_DEPOSIT_ADDRESSES, options, query=query)
    rows: List[DepositAddress] = listed.data
    for row in rows:
        # A service that ignored the filter would return another customer's order.
        if row.order_ref != order_ref:
            raise DaricError(
                f"Asked for the orders of {_quoted(order_ref)}, the service answered {row.id} of another reference.",
                code="UNEXPECTED_ANSWER",
                operation=_operations.LIST_DEPOSIT_ADDRESSES.name,
            )
    # Independent callers may have made several orders: the paid one counts, else one with money above dust, else the oldest.
    # A rest is part of another order of this reference.
    orders = [row for row in rows if not row.rest_of]
    chosen = [row for row in orders if row.payment_status == "paid"] or [row for row in orders if _has_money(row)]
    if not orders:
        return None
    order = chosen[0] if chosen else orders[-1]
    details = _differences(body, order)
    if not details:
        return order
    raise DaricError(
        f"There is an order {_quoted(order_ref)} at another price ({order.id}): a new order needs an order_ref of its own.",
        code="ORDER_REF_CONFLICT",
        operation=_operations.CREATE_DEPOSIT_ADDRESS.name,
        details=details,
    )


def _has_money(row: DepositAddress) -> bool:
    """Whether money above dust arrived, final or not."""
    return row.payment_state != "none" or row.payment_status in ("confirming", "detected")


def _differences(body: Mapping[str, Any], row: DepositAddress) -> List[FieldFault]:
    priced_in = body.get("pricingCurrency")
    fiat = priced_in if isinstance(priced_in, str) and priced_in != "USDT" else None
    coin = body.get("currency")
    existing = row.expected_amount if fiat is None else row.fiat_amount
    pairs = [
        ("currency", coin if isinstance(coin, str) else "USDT", row.currency),
        ("pricingCurrency", fiat or row.currency, row.fiat_currency or row.currency),
        ("amount", canonical_decimal(body["amount"]) or body["amount"], canonical_decimal(existing)),
    ]
    return [
        FieldFault(path, f"is {found or 'not set'} in the existing order")
        for path, requested, found in pairs
        if requested != found
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
