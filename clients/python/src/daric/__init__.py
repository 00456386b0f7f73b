"""The client of the Daric API: every call typed by the contract, and webhooks verified."""

from . import _types as types
from ._client import AsyncDaric, Daric
from ._core import VERSION as __version__
from ._operation import UNSET, CallOptions, Feed, File, Money, OnceMade, Page
from ._types import DepositEvent, EventRow, OrderEvent, RefundEvent, SettlementEvent, TestEvent, WebhookEvent
from .errors import DaricError, FieldFault, WebhookVerificationError
from .webhooks import ExpectedOrder, is_fulfilled_by, reason_not_to_deliver, verify_webhook

__all__ = [
    "UNSET",
    "AsyncDaric",
    "CallOptions",
    "Daric",
    "DaricError",
    "DepositEvent",
    "EventRow",
    "ExpectedOrder",
    "Feed",
    "FieldFault",
    "File",
    "Money",
    "OnceMade",
    "OrderEvent",
    "Page",
    "RefundEvent",
    "SettlementEvent",
    "TestEvent",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "is_fulfilled_by",
    "reason_not_to_deliver",
    "types",
    "verify_webhook",
]
