"""Which call may be repeated, and when."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._operation import Operation
from .errors import DaricError

# Refusals without any effect, after which the same call may succeed later.
_LATER = ("RATE_LIMITED", "RATE_UNAVAILABLE")
_FIRST_WAIT_S = 0.5
_MAX_WAIT_S = 8.0
# For a longer Retry-After the call fails at once, so that the caller decides.
_MAX_RETRY_AFTER_S = 60


def is_repeatable(operation: Operation[Any], body: Optional[Mapping[str, Any]]) -> bool:
    """Whether a repetition does no harm, whatever happened to the first call."""
    if operation.is_repeatable:
        return True
    # A receive address, and a refund with a reference, are found or created.
    given = body or {}
    return (operation.name == "POST /v1/deposit-addresses" and given.get("reusable") is True) or (
        operation.name == "POST /v1/deposit-addresses/{id}/refunds" and isinstance(given.get("refundRef"), str)
    )


def retry_wait(failure: DaricError, *, tries: int, may_repeat: bool, random: float) -> Optional[float]:
    """The seconds before the next try, or None for no retry.

    There is none after a lasting failure, after a possible success that must not repeat, or beyond a Retry-After of 60 s.
    Full jitter: random between zero and a bound that doubles with each try, added to Retry-After.
    """
    if not is_passing(failure) or (failure.is_outcome_unknown and not may_repeat):
        return None
    retry_after = failure.retry_after or 0
    if retry_after > _MAX_RETRY_AFTER_S:
        return None
    return retry_after + random * min(_FIRST_WAIT_S * 2.0 ** (tries - 1), _MAX_WAIT_S)


def is_passing(failure: DaricError) -> bool:
    """Whether a later call may succeed without a change."""
    # A proxy that limits calls has no code.
    if failure.status == 429 and failure.retry_after is not None:
        return True
    return failure.code in (*_LATER, "TIMEOUT", "CONNECTION") or (failure.status or 0) >= 500
