"""Verification of webhooks, and the question whether an event proves that an order may be delivered."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._operation import Money
from ._types import DepositEvent, OrderEvent, WebhookEvent
from ._wire import canonical_decimal, decode_event
from .errors import WebhookVerificationError

Headers = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[Tuple[str, str]]]
"""Headers of a framework: a mapping in any case, or pairs."""

_SECRET = re.compile(r"whsec_[0-9a-f]{64}")
_RAW = "The signature is over the bytes of the body as they came, and {found} was passed. Take the raw body:\n" + "\n".join(
    [
        "- FastAPI, Starlette: await request.body();",
        "- Django: request.body;",
        "- Flask: request.get_data();",
        "- aiohttp: await request.read().",
    ]
)


def verify_webhook(
    raw_body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[datetime] = None,
) -> WebhookEvent:
    """The event of a webhook that Daric signed with one of these secrets, and sent just now.

    Several secrets serve a rotation, or several endpoints behind one URL. The signature is compared in constant time. You must
    check by its ``id`` whether you have handled it before.

    :param tolerance: The allowed difference between the time of sending and now in seconds. ``math.inf`` accepts a delivery of
        any age, and then ``x-service-signature`` alone is enough: a recorded delivery can be replayed.
    :raises WebhookVerificationError: with a ``code`` for each reason not to act on it.
    """
    body = _bytes_of(raw_body)
    keys = _checked_secrets(secrets)
    given = _headers_of(headers)
    if tolerance == math.inf and "webhook-signature" not in given:
        previous = given.get("x-service-signature-previous", "")
        signatures = [_bytes_of_hex(text) for text in (_required(given, "x-service-signature"), previous)]
        _require_signature(body, signatures, [key.encode() for key in keys])
    else:
        event_id, sent_at, entries = (
            _required(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
        if not re.fullmatch("[0-9]{1,12}", sent_at):
            raise WebhookVerificationError("MALFORMED_HEADER", "webhook-timestamp is not in seconds since 1970.")
        signatures = [_bytes_of_base64(entry[3:]) for entry in entries.split(" ") if entry.startswith("v1,")]
        signed = f"{event_id}.{sent_at}.".encode() + body
        _require_signature(signed, signatures, [_bytes_of_base64(key[len("whsec_") :]) or b"" for key in keys])
        _require_recent(int(sent_at), tolerance, now or datetime.now(timezone.utc))
    try:
        return decode_event(json.loads(body.decode("utf-8")))
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError, RecursionError):
        raise WebhookVerificationError("NOT_JSON", "The body is signed, and is no event in JSON.") from None


@dataclass(frozen=True)
class ExpectedOrder:
    """Your own record of an order, from the time when you made it."""

    order_ref: str
    amount: Money
    """The price as a decimal, ``Decimal("12.50")`` or ``"12.5"``; never a float."""
    currency: str
    """``EUR`` if the order was made with ``pricing_currency="EUR"``, else the coin."""
    deposit_address_id: Optional[str] = None
    """The ``id`` of the answer when you made it. Several charges may have one reference; an event of another one counts for none."""


def is_fulfilled_by(event: WebhookEvent, order: ExpectedOrder) -> bool:
    """Whether an event proves that an order may be delivered.

    That is ``deposit.confirmed`` of this charge, at this price, with a ``payment_state`` of ``exact`` or ``over``;
    ``order.accepted`` of it; or the payment of its rest. You must check that you have not delivered it before.

    :raises TypeError: if ``amount`` is no decimal, since no event could equal it.
    """
    return reason_not_to_deliver(event, order) is None


def reason_not_to_deliver(event: WebhookEvent, order: ExpectedOrder) -> Optional[str]:
    """The reason why an event is not enough to deliver an order, for your log; None if it is.

    :raises TypeError: if ``amount`` is no decimal, since no event could equal it.
    """
    requested = canonical_decimal(order.amount)
    if requested is None:
        raise TypeError(f'amount must be a decimal like Decimal("12.50") or "12.50", not {order.amount!r}.')
    rest_of = _order_of_rest(event)
    is_enough = event.event in ("deposit.confirmed", "order.accepted") or rest_of is not None
    if not is_enough or not isinstance(event, (DepositEvent, OrderEvent)):
        return f"the event is {event.event}"
    data = event.data
    # An event without a reference belongs to no order, not even to one that is stored without a reference.
    if data.order_ref is None or data.order_ref != order.order_ref:
        return f"the event is of {json.dumps(data.order_ref, ensure_ascii=False)}"
    charge = rest_of or data.deposit_address_id
    if order.deposit_address_id is not None and charge != order.deposit_address_id:
        return f"the event is of the charge {charge}"
    # The price of a rest is what was missing.
    if rest_of is not None:
        return None
    # The price of an order in a currency is fiat_amount: its order_amount is in coins and moves with the rate.
    amount = data.order_amount if data.fiat_amount is None else data.fiat_amount
    currency = data.fiat_currency or data.currency
    if canonical_decimal(amount) != requested or currency != order.currency:
        shown = "null" if amount is None else format(amount, "f")
        return f"its price is {shown} {currency}, and {order.amount} {order.currency} was asked for"
    if event.event == "deposit.confirmed" and data.payment_state not in ("exact", "over"):
        return f"only {format(data.amount_received, 'f')} {data.currency} has arrived"
    return None


def _order_of_rest(event: WebhookEvent) -> Optional[str]:
    """The order that the payment or the acceptance of its rest completes."""
    if not isinstance(event, OrderEvent) or event.event not in ("order.paid", "order.accepted"):
        return None
    return event.data.rest_of if event.data.rest_completes is True else None


def _require_signature(signed: bytes, signatures: Sequence[Optional[bytes]], keys: Sequence[bytes]) -> None:
    """Tries every signature with every key."""
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            if signature is not None and hmac.compare_digest(signature, expected):
                return
    raise WebhookVerificationError(
        "BAD_SIGNATURE",
        "No signature matches this body under any of the secrets. Is the secret that of this endpoint, and the body untouched: "
        "not parsed and written again, not decoded, not trimmed?",
    )


def _require_recent(sent_at: int, tolerance: float, now: datetime) -> None:
    if now.utcoffset() is None:
        raise ValueError("now has no time zone: use datetime.now(timezone.utc).")
    age = math.floor(now.timestamp()) - sent_at
    if age > tolerance:
        raise WebhookVerificationError(
            "TIMESTAMP_TOO_OLD",
            f"It was sent {age} s ago, and {tolerance:g} s are accepted: it is a replay, or the clock here is ahead.",
        )
    if not age >= -tolerance:
        raise WebhookVerificationError("TIMESTAMP_IN_FUTURE", f"Its time is {-age} s ahead: the clock here is behind.")


def _bytes_of(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    found = "nothing" if body is None else "a parsed value or a stream"
    raise WebhookVerificationError("BODY_PARSED", _RAW.format(found=found))


def _checked_secrets(secrets: object) -> List[str]:
    given = list(secrets) if isinstance(secrets, (list, tuple)) else [secrets]
    whole = [secret for secret in given if isinstance(secret, str) and _SECRET.fullmatch(secret)]
    if given and len(whole) == len(given):
        return whole
    raise WebhookVerificationError(
        "BAD_SECRET",
        "A secret is missing or not whole: it is whsec_ and 64 characters, as the endpoint's creation answered it, "
        "without blanks around it.",
    )


def _headers_of(headers: Headers) -> Mapping[str, str]:
    """The headers by names in small letters, without repeated ones."""
    found: dict[str, List[str]] = {}
    for name, value in headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers:
        values = [value] if isinstance(value, str) else list(value)
        found.setdefault(name.lower(), []).extend(values)
    return {name: values[0].strip() for name, values in found.items() if len(values) == 1 and values[0].strip()}


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is not None:
        return value
    raise WebhookVerificationError(
        "MISSING_HEADER",
        f"The header {name} is missing. Pass all headers as they came; if they lack it, Daric did not send this, "
        "or a proxy removed it.",
    )


def _bytes_of_hex(text: str) -> Optional[bytes]:
    return bytes.fromhex(text) if re.fullmatch("[0-9a-f]{64}", text) else None


def _bytes_of_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
