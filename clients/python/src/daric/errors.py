"""The failures of calls and of webhooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Type


@dataclass(frozen=True)
class FieldFault:
    """One failing field: its path as sent, and the broken rule."""

    path: str
    message: str


class DaricError(Exception):
    """The failure of a call. Distinguish by ``code``: one of the service, or TIMEOUT, CONNECTION, UNEXPECTED_ANSWER, ORDER_REF_CONFLICT."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        operation: str,
        status: Optional[int] = None,
        details: Sequence[FieldFault] = (),
        correlation_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        doc_url: Optional[str] = None,
        is_outcome_unknown: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.operation = operation
        """The operation: ``POST /v1/deposit-addresses``."""
        self.status = status
        """The HTTP status; None without an answer."""
        self.details: Tuple[FieldFault, ...] = tuple(details)
        """Every failing field of a VALIDATION_ERROR."""
        self.correlation_id = correlation_id
        """The id of the call in the operator's logs."""
        self.retry_after = retry_after
        """The seconds to wait before another try."""
        self.doc_url = doc_url
        """The page with the cause and the remedy."""
        self.is_outcome_unknown = is_outcome_unknown
        """Whether the call may have been carried out although it failed here: look before you send it again."""

    def __reduce__(self) -> Tuple[Any, ...]:
        # Queues of tasks carry errors between processes.
        return _restored, (type(self), self.args, self.__dict__)

    def __repr__(self) -> str:
        return f"DaricError({self.code}, {self.message!r}, correlation_id={self.correlation_id!r})"


class WebhookVerificationError(Exception):
    """A webhook that the receiver must ignore.

    BODY_PARSED and BAD_SECRET are faults of the receiver's code. MISSING_HEADER, MALFORMED_HEADER, BAD_SIGNATURE,
    TIMESTAMP_TOO_OLD, TIMESTAMP_IN_FUTURE and NOT_JSON are faults of the request: answer 400 to those.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: Type[Exception], arguments: Tuple[Any, ...], state: Dict[str, Any]) -> Exception:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error
