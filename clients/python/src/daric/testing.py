"""Signed events for the tests of a receiver."""

from __future__ import annotations

import base64
import copy
import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import resources
from typing import Any, Dict, Optional
from uuid import uuid4


@dataclass(frozen=True)
class SignedEvent:
    """A delivery as Daric sends it."""

    body: bytes
    headers: Dict[str, str]


def signed_event(
    name: str,
    secret: str,
    *,
    data: Optional[Dict[str, Any]] = None,
    previous_secret: Optional[str] = None,
    now: Optional[datetime] = None,
) -> SignedEvent:
    """A delivery of an event, signed as Daric signs it: ``signed_event("refund.completed", secret, data={"refundRef": "R-1"})``.

    The event is the contract's example of that name with an id of its own.

    :param name: The name of the event: ``order.paid``.
    :param data: Fields of ``data``, as they are on the wire, that replace those of the example.
    :param previous_secret: The secret before a rotation, which signs too.
    :param now: The time of sending.
    """
    examples = json.loads((resources.files("daric") / "events.json").read_text("utf-8"))
    if name not in examples:
        raise ValueError(f"There is no event {name!r}; there are {', '.join(sorted(examples))}.")
    event = copy.deepcopy(examples[name])
    event["id"] = str(uuid4())
    event["data"].update(data or {})
    body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    seconds = int((now or datetime.now(timezone.utc)).timestamp())
    signed = f"{event['id']}.{seconds}.".encode() + body
    secrets = [secret] if previous_secret is None else [secret, previous_secret]
    headers = {
        "content-type": "application/json",
        "webhook-id": event["id"],
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{_standard(text, signed)}" for text in secrets),
        "x-service-signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
    }
    if previous_secret is not None:
        headers["x-service-signature-previous"] = hmac.new(previous_secret.encode(), body, hashlib.sha256).hexdigest()
    return SignedEvent(body, headers)


def _standard(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret[len("whsec_") :])
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
