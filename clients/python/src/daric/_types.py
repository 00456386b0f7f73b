# Written from clients/typescript/openapi.json by `npm run generate`.
from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Type, Union

@dataclass(frozen=True)
class Account:
    """The merchant of a key, and the rights of the key."""

    currencies: List[Literal["USDT", "TRX"]]
    """The coins that orders can be paid in."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for a test network."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee of new orders: ``merchant``, or ``client``."""
    merchant_id: str
    """The id of the merchant (UUID)."""
    name: str
    """The merchant's name."""
    network: str
    """The network of the chain, as ``mainnet``, ``nile`` or ``devnet``."""
    scopes: List[Literal["charges:read", "charges:write", "deposits:read", "webhooks:read", "webhooks:write", "settlements:read", "refunds:read", "refunds:write", "refunds:address"]]
    """The rights of the key, by their names."""


@dataclass(frozen=True)
class Balance:
    """Your money in one currency, and where it is."""

    confirmed: Decimal
    """All money of yours that the chain confirmed, in units of ``currency`` (decimal string)."""
    currency: Literal["USDT", "TRX"]
    """The currency of every amount of the row."""
    fees: Decimal
    """The service fees of that money, in units of ``currency`` (decimal string)."""
    in_flight: Decimal
    """The amount that was sent to your wallet and is not final yet, in units of ``currency`` (decimal
    string)."""
    settled: Decimal
    """The amount that has reached your own wallets for good, in units of ``currency`` (decimal
    string)."""
    waiting: Decimal
    """The rest that you are owed, in units of ``currency`` (decimal string)."""
    waiting_for: List[BalanceWaitingFor]
    """The money that you wait for, by the reason. Money on deposit addresses includes the fees that
    were not taken out yet."""


@dataclass(frozen=True)
class BalanceWaitingFor:

    amount: Decimal
    """The amount that waits for this reason, in units of ``currency`` (decimal string)."""
    reason: Literal["no_settlement_account", "not_planned", "in_preparation", "price", "frozen", "network_cost"]
    """``no_settlement_account``: you have no active wallet; ask your operator. ``not_planned``: it is
    too little or too new to be worth a transfer, your operator has not approved its wallet, or
    settlement is off. ``in_preparation``: a transfer is being made. ``price``: the network is dear
    at the moment. ``frozen``: the transfer is refused; your operator decides. ``network_cost``: the
    network took it when your TRX was sent, mostly 1.1 TRX for the first TRX to a new wallet; no
    transfer brings it, and your operator owes it to you."""


@dataclass(frozen=True)
class Checkout:
    """The public view of a charge, for the holder of its token."""

    merchant: CheckoutMerchant
    """The merchant, as the page shows it."""
    order: CheckoutOrder
    """The order, as the page shows it."""
    payment: CheckoutPayment
    """The address to pay to, and the time limit."""
    state: Literal["awaiting", "confirming", "paid", "underpaid", "overpaid", "expired", "error"]
    """The state for the payer, in one word. ``paid`` and ``overpaid`` are final money."""
    status: CheckoutStatus
    """The money received so far."""


@dataclass(frozen=True)
class CheckoutLookup:
    """The state of a transaction, as the payer of this checkout may know it."""

    address_end: Optional[str]
    """The last four characters of the address that was paid instead; null if the result is not
    ``other_address``."""
    amount: Optional[Decimal]
    """The amount that the transaction paid to this address, in units of ``currency`` (decimal string);
    null if unknown."""
    confirmations: Optional[int]
    """Number of confirmations so far; null if the result is not ``seen``."""
    currency: Optional[Literal["USDT", "TRX"]]
    """USDT or TRX; null if it paid neither to this address."""
    required_confirmations: Optional[int]
    """Number of confirmations that are needed; null if the result is not ``seen``."""
    result: Literal["counted", "seen", "failed", "other_address", "other_token", "not_on_tron", "not_found", "busy"]
    """``counted``: its money is final and of this charge. ``seen``: on its way to that. ``failed``: it
    failed on the chain and moved nothing. ``other_address``: it went elsewhere. ``other_token``: it
    came here, and is no money of this charge. ``not_on_tron``: a hash of another network (0x…).
    ``not_found``: unknown so far. ``busy``: too many look-ups; our own blocks do not have it, and
    the nodes can be queried in ``retryAfterSeconds``."""
    retry_after_seconds: Optional[int]
    """The seconds to wait before you ask again; null if that would change nothing."""


@dataclass(frozen=True)
class CheckoutMerchant:
    """The merchant, as the page shows it."""

    accent_color: str
    """The colour of the page: ``#`` and six hex digits in small letters."""
    logo_url: Optional[str]
    """The merchant's logo, served by this service; null for none."""
    name: str
    """The merchant's name."""


@dataclass(frozen=True)
class CheckoutOrder:
    """The order, as the page shows it."""

    amount: Optional[Decimal]
    """The price of the order in units of ``currency`` (decimal string); null without an amount."""
    cancel_url: Optional[str]
    """The page that the payer goes to after giving up or too late (http or https, at most 2048
    characters); null for none."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee: ``merchant``, or ``client``, whose ``pay_amount`` includes it."""
    fiat_amount: Optional[Decimal]
    """The price in units of ``fiat_currency``, exactly as you sent it (decimal string); null if not
    priced in fiat."""
    fiat_currency: Optional[str]
    """The currency of the price; null for a price in the coin itself."""
    pay_amount: Optional[Decimal]
    """The exact amount that the payer must send, in units of ``currency`` (decimal string); null for
    any amount."""
    quote_expires_at: Optional[datetime]
    """The end of the lock of ``quote_rate`` (ISO 8601, UTC); null if not priced in fiat."""
    quote_rate: Optional[Decimal]
    """Units of ``currency`` for 1 unit of ``fiat_currency``, with at most 4 decimals for USD and 10
    for others; null if not priced in fiat."""
    ref: Optional[str]
    """Your own reference of the order; null if you gave none."""
    success_url: Optional[str]
    """The page that the payer goes to after payment (http or https, at most 2048 characters); null for
    none."""


@dataclass(frozen=True)
class CheckoutPayment:
    """The address to pay to, and the time limit."""

    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    expires_at: Optional[datetime]
    """The end of the time to pay (ISO 8601, UTC); null for a receive address."""


@dataclass(frozen=True)
class CheckoutStatus:
    """The money received so far."""

    amount_received: Decimal
    """The sum of all money seen, confirmed or not, in units of ``currency`` (decimal string)."""
    confirmations: int
    """Number of blocks from the transfer's block to the newest one. It can pass the required number
    some seconds before the deposit is final, and stops when it is."""
    confirmed_at: Optional[datetime]
    """The time at which it became final (ISO 8601, UTC); null until then."""
    deposit_status: Optional[Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"]]
    """The status of the newest deposit; null before there is one. Only ``CONFIRMED`` is final."""
    payment_state: Literal["none", "under", "exact", "over"]
    """The credited money compared with the amount due: ``none``, ``under``, ``exact`` (within the
    tolerance) or ``over``."""
    required_confirmations: int
    """Number of blocks needed before the deposit can be final. Only the status shows whether it is."""
    tx_hash: Optional[str]
    """The id of the transaction on the chain: 64 hex characters in small letters."""


@dataclass(frozen=True)
class CreatedDepositAddress:
    """A deposit address as it was made."""

    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    amount_due: Optional[Decimal]
    """The amount to send, in units of ``currency`` (decimal string): ``pay_amount``, or else
    ``expected_amount``. null means any amount, also for an order of 0."""
    cancel_url: Optional[str]
    """The page that the payer goes to after giving up or too late (http or https, at most 2048
    characters); null for none."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    checkout_token: str
    """Unguessable text that opens the checkout of this deposit address, and nothing else."""
    checkout_url: Optional[str]
    """The page where the payer pays: send your customer here. null if the operator set no
    ``PUBLIC_BASE_URL``."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    customer_ref: Optional[str]
    """Your own name of the customer of this standing address, at most 120 characters."""
    expected_amount: Optional[Decimal]
    """The price of the order in units of ``currency`` (decimal string); null without an amount."""
    expires_at: Optional[datetime]
    """The end of the time to pay (ISO 8601, UTC); null for a receive address."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee: ``merchant``, or ``client``, whose ``pay_amount`` includes it."""
    fiat_amount: Optional[Decimal]
    """The price in units of ``fiat_currency``, exactly as you sent it (decimal string); null if not
    priced in fiat."""
    fiat_currency: Optional[str]
    """The currency of the price; null for a price in the coin itself."""
    id: str
    """The id of the row (UUID); it never changes."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    pay_amount: Optional[Decimal]
    """The amount that the payer must send, with the fee, in units of ``currency`` (decimal string);
    null if the merchant pays the fee."""
    quote_expires_at: Optional[datetime]
    """The end of the lock of ``quote_rate`` (ISO 8601, UTC); null if not priced in fiat."""
    quote_rate: Optional[Decimal]
    """Units of ``currency`` for 1 unit of ``fiat_currency``, with at most 4 decimals for USD and 10
    for others; null if not priced in fiat."""
    quote_source: Optional[str]
    """The sources of the rate, joined by ``+``; null if not priced in fiat."""
    status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"]
    """``ACTIVE``: it waits for money from now on."""
    success_url: Optional[str]
    """The page that the payer goes to after payment (http or https, at most 2048 characters); null for
    none."""


@dataclass(frozen=True)
class CreatedWebhookEndpoint:
    """A new endpoint, with the secret that signs for it."""

    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    description: Optional[str]
    """A note of your own, at most 255 characters; null for none."""
    event_types: List[Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]]
    """The names of the events that this endpoint receives."""
    id: str
    """The id of the row (UUID); it never changes."""
    is_active: bool
    """Whether events are sent. While it is ``false`` they wait, at most 3 days."""
    secret: str = field(repr=False)
    """The key that signs every event for this endpoint: ``whsec_`` and 64 hex characters. Shown only
    this once."""
    status: Literal["active", "disabled"]
    """``active`` if events are sent, ``disabled`` while they wait."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""
    url: str
    """The http or https URL that receives the events, at most 2048 characters, without credentials."""


@dataclass(frozen=True)
class DeleteWebhookEndpointAnswer:
    """The requested row; in lists the rows of one page."""

    deleted: Literal[True]
    """``true``: the endpoint and its secret are gone, and no event is sent there any more."""
    id: str
    """The id of the row (UUID); it never changes."""


@dataclass(frozen=True)
class Deposit:
    """One on-chain transfer to one of the merchant's addresses."""

    address: str
    """The TRON address that received it (base58, 34 characters)."""
    amount: Decimal
    """The amount sent, in units of ``currency`` (decimal string)."""
    block_hash: str
    """The id of the block that holds the transfer: 64 hex characters."""
    block_number: int
    """Height of the block that holds the transfer: its position in the chain, counted from 0."""
    block_time: datetime
    """The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late."""
    book_amount: Optional[Decimal]
    """The value of the deposit in units of ``book_currency``: ``amount`` × ``book_rate``, rounded half
    up to its smallest unit."""
    book_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY"]]
    """The currency of your books in which the deposit is valued. Null while its value is not known, as
    the other ``book_`` fields."""
    book_rate: Optional[str]
    """Units of ``book_currency`` for 1 unit of ``currency`` at the time of the block."""
    book_rate_at: Optional[datetime]
    """The minute of ``book_rate`` (ISO 8601, UTC); of a rate with several parts the oldest."""
    book_rate_sources: Optional[str]
    """The sources of ``book_rate``, with a plus between them; ``import:`` marks one that was imported."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    confirmations: int
    """Number of blocks from the transfer's block to the newest one. It can pass the required number
    some seconds before the deposit is final, and stops when it is."""
    confirmed_at: Optional[datetime]
    """The time at which it became final (ISO 8601, UTC); null until then."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency that was sent; ``amount`` is in it."""
    deposit_address_id: str
    """The id of the deposit address that was paid (UUID)."""
    detected_at: datetime
    """The time at which it was first seen (ISO 8601, UTC)."""
    event_index: int
    """Position of the transfer within its transaction, counted from 0."""
    failed_at: Optional[datetime]
    """The time at which it failed for good (ISO 8601, UTC); otherwise null."""
    failure_reason: Optional[str]
    """Why it never became money, in one word; null if it did not fail."""
    from_address: Optional[str]
    """The TRON address that sent it (base58); null if the chain does not name it."""
    id: str
    """The id of the row (UUID); it never changes."""
    late: bool
    """Whether the transfer's block is later than the end of the time to pay."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    required_confirmations: int
    """Number of blocks needed before the deposit can be final. Only the status shows whether it is."""
    source: Literal["transfer", "log", "internal"]
    """How the chain moved it: ``transfer`` (TRX), ``log`` (a token's event) or ``internal`` (TRX from
    a contract)."""
    status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"]
    """``CONFIRMED`` is final money. ``DETECTED`` and ``CONFIRMING`` wait for blocks, ``STUCK`` waits
    unusually long, ``REORG_PENDING`` lost its block, ``FAILED`` never became money."""
    stuck_reason: Optional[Literal["solidity", "quorum", "balance"]]
    """Why it waits unusually long; null if it does not. ``solidity``: few witnesses have built on its
    block. ``quorum``: the nodes do not agree. ``balance``: the address does not hold it."""
    tx_hash: str
    """The id of the transaction on the chain: 64 hex characters in small letters."""
    unmatched: bool
    """Whether it is in another currency than the deposit address asks for. Then no sum counts it."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""


@dataclass(frozen=True)
class DepositAddress:
    """An order, an open address or a standing receive address."""

    accept_reason: Optional[str]
    """Your reason for accepting it; null if it was not accepted or you gave none."""
    accepted_at: Optional[datetime]
    """The time at which you accepted it as paid (ISO 8601, UTC); otherwise null."""
    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    amount_due: Optional[Decimal]
    """The amount to send, in units of ``currency`` (decimal string): ``pay_amount``, or else
    ``expected_amount``. null means any amount, also for an order of 0."""
    amount_pending: Decimal
    """The sum of money that was seen and is not final yet, in units of ``currency`` (decimal string)."""
    amount_received: Decimal
    """The sum of confirmed money, in units of ``currency`` (decimal string). The chain cannot take it
    back."""
    cancel_url: Optional[str]
    """The page that the payer goes to after giving up or too late (http or https, at most 2048
    characters); null for none."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    checkout_token: str
    """Unguessable text that opens the checkout of this deposit address, and nothing else."""
    checkout_url: Optional[str]
    """The page where the payer pays: send your customer here. null if the operator set no
    ``PUBLIC_BASE_URL``."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    customer_email: Optional[str]
    """The payer's e-mail address, the first that was given; null without one. Nothing proves that it
    is the payer's. It is forgotten 90 days after the last change of the order."""
    customer_email_later: Optional[str]
    """The newest other address that was typed on the page after the first; null without one. No mail
    goes there."""
    customer_email_source: Optional[Literal["api", "link", "page"]]
    """Where ``customer_email`` came from: ``api`` (you), ``link`` (the form of a payment link) or
    ``page`` (the payment page); null without one."""
    customer_ref: Optional[str]
    """Your own name of the customer of this standing address, at most 120 characters."""
    expected_amount: Optional[Decimal]
    """The price of the order in units of ``currency`` (decimal string); null without an amount."""
    expires_at: Optional[datetime]
    """The end of the time to pay (ISO 8601, UTC); null for a receive address."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee: ``merchant``, or ``client``, whose ``pay_amount`` includes it."""
    fiat_amount: Optional[Decimal]
    """The price in units of ``fiat_currency``, exactly as you sent it (decimal string); null if not
    priced in fiat."""
    fiat_currency: Optional[str]
    """The currency of the price; null for a price in the coin itself."""
    id: str
    """The id of the row (UUID); it never changes."""
    kind: Literal["order", "receive", "open"]
    """``order`` has an amount, ``open`` takes any amount for a time, ``receive`` is a standing
    address."""
    label: Optional[str]
    """A note of your own, at most 120 characters. The payer never sees it."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    paid_late: bool
    """Whether only money after its time and the late window paid it."""
    pay_amount: Optional[Decimal]
    """The amount that the payer must send, with the fee, in units of ``currency`` (decimal string);
    null if the merchant pays the fee."""
    payer: Optional[DepositAddressPayer]
    """The texts that the payer typed at the payment link; null without any. They prove nothing."""
    payer_ref: Optional[str]
    """The ``ref`` in the address of the payment link; null without one. The payer's side typed it, so
    it proves nothing."""
    payment_link_id: Optional[str]
    """The id of the payment link that the order was made by (UUID); otherwise null."""
    payment_state: Literal["none", "under", "exact", "over"]
    """The credited money compared with the amount due: ``none``, ``under``, ``exact`` (within the
    tolerance) or ``over``."""
    payment_status: Optional[Literal["paid", "confirming", "detected", "awaiting", "expired"]]
    """The progress of the payment in one word. Only for orders, when retrieved and in lists with
    ``kind=order`` or ``paymentStatus``."""
    quote_expires_at: Optional[datetime]
    """The end of the lock of ``quote_rate`` (ISO 8601, UTC); null if not priced in fiat."""
    quote_rate: Optional[Decimal]
    """Units of ``currency`` for 1 unit of ``fiat_currency``, with at most 4 decimals for USD and 10
    for others; null if not priced in fiat."""
    quote_source: Optional[str]
    """The sources of the rate, joined by ``+``; null if not priced in fiat."""
    refunded_amount: Decimal
    """The sum that completed refunds moved on the chain, in units of ``currency`` (decimal string).
    Refunds of another coin are not in it."""
    rest_of: Optional[str]
    """The id of the order that this one asks the missing money of (UUID); otherwise null."""
    settlement_account_id: Optional[str]
    """The id of the settlement account that receives the money (UUID); null for the default account."""
    status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"]
    """``ACTIVE`` waits for money, ``EXPIRED`` is past its time, ``ARCHIVED`` is paid or archived."""
    success_url: Optional[str]
    """The page that the payer goes to after payment (http or https, at most 2048 characters); null for
    none."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""


@dataclass(frozen=True)
class DepositAddressPayer:
    """The texts that the payer typed at the payment link; null without any. They prove nothing."""

    name: Optional[str]
    """The name that the payer typed; null without one."""
    note: Optional[str]
    """The note that the payer typed; null without one."""


@dataclass(frozen=True)
class DepositEvent:
    """The body of an event of a deposit."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    data: DepositEventData
    """The deposit, and the facts of its deposit address."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed"]
    """The name of the event."""
    id: str
    """The id of the event (UUID). Delivery is at least once: drop an id that you have seen."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class DepositEventData:
    """The deposit, and the facts of its deposit address."""

    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    amount: Decimal
    """The amount of this deposit, in units of ``currency`` (decimal string)."""
    amount_received: Decimal
    """The sum of confirmed money, in units of ``currency`` (decimal string). The chain cannot take it
    back."""
    block_hash: str
    """The id of the block that holds the transfer: 64 hex characters."""
    block_number: int
    """Height of the block that holds the transfer: its position in the chain, counted from 0."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    confirmations: int
    """Number of blocks from the transfer's block to the newest one. It can pass the required number
    some seconds before the deposit is final, and stops when it is."""
    confirmed_at: Optional[datetime]
    """The time at which it became final (ISO 8601, UTC); null until then."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    deposit_address_id: str
    """The id of the deposit address that was paid (UUID)."""
    deposit_id: str
    """The id of the deposit (UUID); ``reference_id`` of its deliveries."""
    detected_at: datetime
    """The time at which it was first seen (ISO 8601, UTC)."""
    difference: Optional[Decimal]
    """Credited money minus the amount due, in units of ``currency`` (decimal string, negative if
    short); null if no amount is due. For a price in fiat each payment is credited by its own quote."""
    event_index: int
    """Position of the transfer within its transaction, counted from 0."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee: ``merchant``, or ``client``, whose ``pay_amount`` includes it."""
    fiat_amount: Optional[Decimal]
    """The price in units of ``fiat_currency``, exactly as you sent it (decimal string); null if not
    priced in fiat."""
    fiat_currency: Optional[str]
    """The currency of the price; null for a price in the coin itself."""
    label: Optional[str]
    """A note of your own, at most 120 characters. The payer never sees it."""
    late: bool
    """Whether the transfer's block is later than the end of the time to pay."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    order_amount: Optional[Decimal]
    """The price of the order in units of ``currency`` (decimal string); null without an amount."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    pay_amount: Optional[Decimal]
    """The amount that the payer must send, with the fee, in units of ``currency`` (decimal string);
    null if the merchant pays the fee."""
    payer_ref: Optional[str]
    """The ``ref`` in the address of the payment link; null without one. The payer's side typed it, so
    it proves nothing."""
    payment_link_id: Optional[str]
    """The id of the payment link that the order was made by (UUID); otherwise null."""
    payment_state: Literal["none", "under", "exact", "over"]
    """The credited money compared with the amount due: ``none``, ``under``, ``exact`` (within the
    tolerance) or ``over``."""
    previous_status: Optional[Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"]]
    """The status before this event; null if there was none."""
    quote_rate: Optional[Decimal]
    """Units of ``currency`` for 1 unit of ``fiat_currency``, with at most 4 decimals for USD and 10
    for others; null if not priced in fiat."""
    required_confirmations: int
    """Number of blocks needed before the deposit can be final. Only the status shows whether it is."""
    status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"]
    """The status of the deposit after this event. Only ``CONFIRMED`` is final money."""
    tx_hash: str
    """The id of the transaction on the chain: 64 hex characters in small letters."""
    unmatched: bool
    """Whether it is in another currency than the deposit address asks for. Then no sum counts it."""


@dataclass(frozen=True)
class EventRow:
    """An event, with the fields of its webhook's body."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    data: Optional[Dict[str, Any]]
    """The content of the webhook of this name; null once it is not kept any more."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]
    """The name of the event."""
    id: str
    """The id of the event (UUID), ``id`` in its webhook."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class LinkOrder:
    """The order of a click, and where to pay it."""

    checkout_url: Optional[str]
    """The page where the payer pays: send your customer here. null if the operator set no
    ``PUBLIC_BASE_URL``."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""


@dataclass(frozen=True)
class LookupRow:
    """One deposit that a transaction made, and what became of it."""

    deposit: Deposit
    """The deposit of the transaction, in its current state."""
    deposit_address: PaidDepositAddress
    """The deposit address that it paid, as far as it explains what happened to the money."""
    kind: Literal["deposit"]
    """The effect of the transaction on the merchant: it paid one of its addresses."""


@dataclass(frozen=True)
class OrderEvent:
    """The body of an event of an order."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    data: OrderEventData
    """The order with its confirmed sums."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted"]
    """The name of the event."""
    id: str
    """The id of the event (UUID). Delivery is at least once: drop an id that you have seen."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class OrderEventData:
    """The order with its confirmed sums."""

    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    amount_received: Decimal
    """The sum of confirmed money, in units of ``currency`` (decimal string). The chain cannot take it
    back."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    deposit_address_id: str
    """The id of the deposit address that was paid (UUID)."""
    deposits: List[OrderEventDataDeposits]
    """The confirmed deposits of the order, first to last, at most 20 of them."""
    difference: Optional[Decimal]
    """Credited money minus the amount due, in units of ``currency`` (decimal string, negative if
    short); null if no amount is due. For a price in fiat each payment is credited by its own quote."""
    expires_at: Optional[datetime]
    """The end of the time to pay (ISO 8601, UTC); null for a receive address."""
    fee_mode: Literal["merchant", "client"]
    """The party that pays the fee: ``merchant``, or ``client``, whose ``pay_amount`` includes it."""
    fiat_amount: Optional[Decimal]
    """The price in units of ``fiat_currency``, exactly as you sent it (decimal string); null if not
    priced in fiat."""
    fiat_currency: Optional[str]
    """The currency of the price; null for a price in the coin itself."""
    label: Optional[str]
    """A note of your own, at most 120 characters. The payer never sees it."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    order_amount: Optional[Decimal]
    """The price of the order in units of ``currency`` (decimal string); null without an amount."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    order_ref_paid: Optional[bool]
    """Whether another charge of this reference is paid. Do not cancel your order then. Absent from
    events of earlier versions."""
    paid_at: Optional[datetime]
    """The time at which the confirmed deposits first added up to paid (ISO 8601, UTC); null until
    then."""
    paid_late: bool
    """Whether only money after its time and the late window paid it."""
    pay_amount: Optional[Decimal]
    """The amount that the payer must send, with the fee, in units of ``currency`` (decimal string);
    null if the merchant pays the fee."""
    payer_ref: Optional[str]
    """The ``ref`` in the address of the payment link; null without one. The payer's side typed it, so
    it proves nothing."""
    payment_link_id: Optional[str]
    """The id of the payment link that the order was made by (UUID); otherwise null."""
    payment_state: Literal["none", "under", "exact", "over"]
    """The credited money compared with the amount due: ``none``, ``under``, ``exact`` (within the
    tolerance) or ``over``."""
    quote_rate: Optional[Decimal]
    """Units of ``currency`` for 1 unit of ``fiat_currency``, with at most 4 decimals for USD and 10
    for others; null if not priced in fiat."""
    rest_completes: Optional[bool]
    """Whether with this event the order of ``restOf`` is paid too: deliver that order. Absent from
    events of earlier versions."""
    rest_of: Optional[str]
    """The id of the order that this one asks the missing money of (UUID); otherwise null."""


@dataclass(frozen=True)
class OrderEventDataDeposits:

    amount: Decimal
    """Money in units of ``currency``, as a decimal string with at most 6 decimals, never a number."""
    confirmed_at: datetime
    """The time at which it became final (ISO 8601, UTC); null until then."""
    deposit_id: str
    """The id of the deposit (UUID); ``reference_id`` of its deliveries."""
    tx_hash: str
    """The id of the transaction on the chain: 64 hex characters in small letters."""


@dataclass(frozen=True)
class PaidDepositAddress:
    """The address that a deposit was sent to, in its current state."""

    amount_due: Optional[Decimal]
    """The amount to send, in units of ``currency`` (decimal string): ``pay_amount``, or else
    ``expected_amount``. null means any amount, also for an order of 0."""
    amount_received: Decimal
    """The sum of confirmed money, in units of ``currency`` (decimal string). The chain cannot take it
    back."""
    currency: Literal["USDT", "TRX"]
    """The currency that it is to be paid in."""
    customer_ref: Optional[str]
    """The customer of a receive address."""
    expires_at: Optional[datetime]
    """The end of the time to pay (ISO 8601, UTC); null for a receive address."""
    id: str
    """The id to retrieve the deposit address by."""
    kind: Literal["order", "receive", "open"]
    """The kind of the address: an order, an open or a receive address."""
    order_ref: Optional[str]
    """The merchant's own reference of the order."""
    payment_state: Literal["none", "under", "exact", "over"]
    """All confirmed money of the address relative to the amount due."""
    payment_status: Optional[Literal["paid", "confirming", "detected", "awaiting", "expired"]]
    """Of an order; else null."""
    rest_of: Optional[str]
    """Of a rest: the first order, which it completes."""
    status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"]
    """Where the deposit address stands now."""


@dataclass(frozen=True)
class PaymentLink:
    """A template of orders: its page makes one on each click."""

    amount: Optional[Decimal]
    """The fixed amount, in units of ``currency``, or of ``pricing_currency`` (decimal string); null if
    the payer chooses."""
    ask: List[Literal["name", "note", "email"]]
    """The questions of the page to the payer: ``name``, which it then requires, and ``note``."""
    cancel_url: Optional[str]
    """Where the page of an expired or cancelled order leads; null without one."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The coin that the orders are paid in."""
    description: Optional[str]
    """More about it, shown on the page; null without any."""
    expires_at: Optional[datetime]
    """The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on."""
    id: str
    """The id of the row (UUID); it never changes."""
    max_amount: Optional[Decimal]
    """The largest amount that the payer may choose, in units of ``currency`` or ``pricing_currency``
    (decimal string); null without a bound."""
    max_payments: Optional[int]
    """The number of orders that may be paid; null without a limit. Open orders hold a place until they
    expire."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    min_amount: Optional[Decimal]
    """The least amount that the payer may choose, in units of ``currency`` or ``pricing_currency``
    (decimal string); null without a bound."""
    order_ref_prefix: Optional[str]
    """The beginning of each order's ``order_ref``; null without any."""
    orders_open: int
    """The number of orders that wait for money. With ``max_payments`` also those that have expired
    with a part of it: each holds a place."""
    orders_paid: int
    """The number of orders that are paid or accepted. Late money can make more of them than
    ``max_payments``."""
    pricing_currency: Optional[str]
    """The currency of the amounts; null if they are in ``currency``."""
    settlement_account_id: Optional[str]
    """The id of the settlement account that receives the money (UUID); null for the default account."""
    status: Literal["active", "disabled", "sold_out", "expired"]
    """``active``, ``disabled`` (paused, or closed by the operator), ``sold_out`` or ``expired``. Only
    an active link takes new orders."""
    success_url: Optional[str]
    """Where the page of a paid order leads; null without one."""
    suggested_amounts: List[Decimal]
    """The amounts that the page offers with one tap, in units of ``currency`` or ``pricing_currency``
    (decimal strings)."""
    thanks: Optional[str]
    """The text on the page of a paid order; null without any."""
    title: str
    """The name of the sold thing, shown on the page and as the ``label`` of its orders."""
    token: str
    """The unguessable end of ``url``."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""
    url: Optional[str]
    """The public page of the link; null where the operator has set no public address."""


@dataclass(frozen=True)
class PricingCurrency:
    """A currency that orders can be priced in."""

    available: Optional[bool]
    """Whether an order in it can be priced now: false also with fewer than three sources; null if it
    is not known, since no request asked in the last minute."""
    code: str
    """The value of ``pricingCurrency``, by ISO 4217."""
    decimals: int
    """The number of decimals that an amount in it may have."""
    resting: bool
    """Whether its exchange markets are closed, from Friday to Sunday 17:00 in New York."""
    sources: List[str]
    """The sources that price it on this deployment."""


@dataclass(frozen=True)
class Refund:
    """Money that a merchant promises back to a payer."""

    address: Optional[str]
    """The TRON address that the refund goes to (base58); null until the payer names it, and if its row
    MAC is not valid."""
    amount: Decimal
    """The amount that goes back, in units of ``currency`` (decimal string)."""
    canceled_at: Optional[datetime]
    """The time at which you canceled it (ISO 8601, UTC); otherwise null."""
    claim_expires_at: datetime
    """The time until which ``claim_url`` takes an address (ISO 8601, UTC)."""
    claim_url: Optional[str]
    """The page where the payer names the address: send it to the payer alone. Only in the answer about
    one refund, for the scope ``refunds:write``; otherwise null."""
    completed_at: Optional[datetime]
    """The time at which its transfer was final (ISO 8601, UTC); null until then."""
    currency: Literal["USDT", "TRX"]
    """The coin that goes back; it may differ from that of the order."""
    default_address: Optional[str]
    """The TRON address that sent most of a large surplus (base58): another one needs a confirmation
    with a reason. null for any other refund."""
    deposit_address_id: str
    """The id of the deposit address whose money goes back (UUID)."""
    fiat_amount: Optional[Decimal]
    """The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal
    string); null without one."""
    id: str
    """The id of the refund (UUID)."""
    needs_confirmation: Optional[Literal["address", "paid_money", "other_address", "order_changed"]]
    """Why an owner or admin must confirm it; null if nothing is in doubt. ``address``: a key or a
    person sent the address. ``paid_money``: the money paid the order. ``other_address``: a large
    surplus is to go to another address than its sender's. ``order_changed``: money came, or the
    order was accepted, after the request."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    paid_amount: Optional[Decimal]
    """The amount that the chain moved, in units of ``currency`` (decimal string); null until the
    refund is ``COMPLETED``."""
    pay_until: Optional[datetime]
    """The time until which address and amount stay as they are, since a person opened its payment (ISO
    8601, UTC); null if none did."""
    ready_at: Optional[datetime]
    """The last time at which it became ``READY`` (ISO 8601, UTC); null until then."""
    reason: Optional[str]
    """Your reason for the refund, at most 500 characters; null if you gave none."""
    refund_ref: Optional[str]
    """Your own reference of the refund, at most 120 characters; null if you gave none."""
    requested_at: datetime
    """The time of the request (ISO 8601, UTC)."""
    sent_at: Optional[datetime]
    """The time at which its transfer was seen in a block (ISO 8601, UTC); null until then."""
    status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"]
    """``REQUESTED`` waits for an address or a confirmation, ``READY`` for your payment. ``SENT`` is on
    the chain, ``COMPLETED`` is final, and ``CANCELED`` is not to be paid."""
    tx_hash: Optional[str]
    """The id of the transaction that paid it: 64 hex characters in small letters; null before one is
    seen."""


@dataclass(frozen=True)
class RefundClaim:
    """A refund, as its payer sees it."""

    address: Optional[str]
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    address_paid_order: Optional[bool]
    """Whether the address sent money of the order. It may be that of an exchange. null without an
    address."""
    amount: Decimal
    """Money in units of ``currency``, as a decimal string with at most 6 decimals, never a number."""
    claim_expires_at: datetime
    """The time until which ``claim_url`` takes an address (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    default_address: Optional[str]
    """The TRON address that sent most of a large surplus (base58): another one needs a confirmation
    with a reason. null for any other refund."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    paid_amount: Optional[Decimal]
    """The amount that the chain moved, in units of ``currency`` (decimal string); null until the
    refund is ``COMPLETED``."""
    shop: str
    """The name of the shop."""
    status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"]
    """The state of the row, one of those in the list. No state is skipped without an event."""
    takes_address: bool
    """Whether the link takes an address now. It takes one, once."""
    tx_hash: Optional[str]
    """The id of the transaction on the chain: 64 hex characters in small letters."""
    waits_for_shop: bool
    """Whether the shop must confirm the refund before it is ready."""


@dataclass(frozen=True)
class RefundEvent:
    """The body of an event of a refund."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    data: RefundEventData
    """The refund as it was at the event."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["refund.requested", "refund.ready", "refund.completed", "refund.canceled"]
    """The name of the event."""
    id: str
    """The id of the event (UUID). Delivery is at least once: drop an id that you have seen."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class RefundEventData:
    """The refund as it was at the event."""

    address: Optional[str]
    """The TRON address that the refund goes to (base58); null until the payer names it."""
    amount: Decimal
    """The amount that goes back, in units of ``currency`` (decimal string)."""
    canceled_at: Optional[datetime]
    """The time at which you canceled it (ISO 8601, UTC); otherwise null."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    completed_at: Optional[datetime]
    """The time at which its transfer was final (ISO 8601, UTC); null until then."""
    currency: Literal["USDT", "TRX"]
    """The coin that goes back; it may differ from that of the order."""
    deposit_address_id: str
    """The id of the deposit address whose money goes back (UUID)."""
    fiat_amount: Optional[Decimal]
    """The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal
    string); null without one."""
    metadata: Optional[Dict[str, str]]
    """Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never
    sees them."""
    order_ref: Optional[str]
    """Your own reference of the order, at most 120 characters. The payer sees it. It need not be
    unique."""
    ready_at: Optional[datetime]
    """The last time at which it became ``READY`` (ISO 8601, UTC); null until then."""
    reason: Optional[str]
    """Your reason for the refund; null if you gave none."""
    refund_id: str
    """The id of the refund (UUID); ``reference_id`` of its deliveries."""
    requested_at: datetime
    """The time of the request (ISO 8601, UTC)."""
    sent_at: Optional[datetime]
    """The time at which its transfer was seen in a block (ISO 8601, UTC); null until then."""
    status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"]
    """The status of the refund after this event. Only ``COMPLETED`` is final money, and only
    ``CANCELED`` may still change to it."""
    tx_hash: Optional[str]
    """The id of the transaction that paid it: 64 hex characters in small letters; null before one is
    seen."""


@dataclass(frozen=True)
class RotatedWebhookEndpoint:
    """An endpoint, with the new secret that signs for it."""

    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    description: Optional[str]
    """A note of your own, at most 255 characters; null for none."""
    event_types: List[Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]]
    """The names of the events that this endpoint receives."""
    id: str
    """The id of the row (UUID); it never changes."""
    is_active: bool
    """Whether events are sent. While it is ``false`` they wait, at most 3 days."""
    previous_secret_expires_at: Optional[datetime]
    """The time until which deliveries also carry the signature of the previous secret (ISO 8601, UTC);
    null if they do not."""
    secret: str = field(repr=False)
    """The key that signs every event for this endpoint: ``whsec_`` and 64 hex characters. Shown only
    this once."""
    status: Literal["active", "disabled"]
    """The state of the row, one of those in the list. No state is skipped without an event."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""
    url: str
    """The http or https URL that receives the events, at most 2048 characters, without credentials."""


@dataclass(frozen=True)
class SentAgain:
    """The result of a resend of many deliveries."""

    deliveries: int
    """Number of deliveries that are due now, the last of them after 50 ms for each."""


@dataclass(frozen=True)
class Settlement:
    """Transfers out of deposit addresses to one of your wallets, planned together."""

    address: str
    """The TRON address of the wallet that is paid (base58)."""
    amount: Decimal
    """The amount that has arrived at your wallet, in units of ``currency`` (decimal string)."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    created_at: datetime
    """The time at which it was planned (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency of ``amount`` and ``fees_paid``."""
    ended_at: Optional[datetime]
    """The time at which it ended (ISO 8601, UTC); null while it is open."""
    failure_reason: Optional[str]
    """The reason why the rest of it waits, in words; null without a rest."""
    fees_paid: Decimal
    """The part of its fees that has arrived at the operator's wallet, in units of ``currency``
    (decimal string)."""
    id: str
    """The id of the settlement (UUID)."""
    network_cost: Decimal
    """The network's fees for it, in units of TRX (decimal string). The operator bears it."""
    settlement_account_id: str
    """The id of the settlement account that is paid (UUID)."""
    status: Literal["OPEN", "COMPLETED", "FAILED"]
    """``OPEN`` while transfers of it are made, ``COMPLETED`` once all of it has arrived, ``FAILED`` if
    part of it could not be sent."""
    sweep_count: int
    """Number of its sweeps, in any status."""


@dataclass(frozen=True)
class SettlementAccount:
    """A wallet of yours that your money goes to."""

    address: str
    """The TRON address of your wallet (base58, 34 characters)."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    id: str
    """The id of the row (UUID); it never changes."""
    is_default: bool
    """Whether charges that name no settlement account use this one."""
    label: Optional[str]
    """The operator's note of it, at most 120 characters; null for none."""
    status: Literal["active", "disabled"]
    """``active`` takes new charges; ``disabled`` takes none."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""


@dataclass(frozen=True)
class SettlementDetail:
    """A settlement with its sweeps and their transactions."""

    address: str
    """The TRON address of the wallet that is paid (base58)."""
    amount: Decimal
    """The amount that has arrived at your wallet, in units of ``currency`` (decimal string)."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    created_at: datetime
    """The time at which it was planned (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency of ``amount`` and ``fees_paid``."""
    ended_at: Optional[datetime]
    """The time at which it ended (ISO 8601, UTC); null while it is open."""
    failure_reason: Optional[str]
    """The reason why the rest of it waits, in words; null without a rest."""
    fees_paid: Decimal
    """The part of its fees that has arrived at the operator's wallet, in units of ``currency``
    (decimal string)."""
    id: str
    """The id of the settlement (UUID)."""
    network_cost: Decimal
    """The network's fees for it, in units of TRX (decimal string). The operator bears it."""
    settlement_account_id: str
    """The id of the settlement account that is paid (UUID)."""
    status: Literal["OPEN", "COMPLETED", "FAILED"]
    """``OPEN`` while transfers of it are made, ``COMPLETED`` once all of it has arrived, ``FAILED`` if
    part of it could not be sent."""
    sweep_count: int
    """Number of its sweeps, in any status."""
    sweeps: List[Sweep]
    """Its transfers out of deposit addresses."""


@dataclass(frozen=True)
class SettlementEvent:
    """The body of an event of a settlement."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    data: SettlementEventData
    """The settlement, and what of it has arrived."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["settlement.completed", "settlement.failed"]
    """The name of the event."""
    id: str
    """The id of the event (UUID). Delivery is at least once: drop an id that you have seen."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class SettlementEventData:
    """The settlement, and what of it has arrived."""

    address: str
    """The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever.
    Empty if its row MAC is not valid: contact your operator."""
    amount: Decimal
    """Money in units of ``currency``, as a decimal string with at most 6 decimals, never a number."""
    chain: Literal["tron"]
    """The chain of the address: always ``tron``."""
    created_at: datetime
    """The time of the event (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency that the payer sends. Every amount of the row is in it."""
    ended_at: datetime
    """The time at which it ended (ISO 8601, UTC); null while it is open."""
    failure_reason: Optional[str]
    """Why it never became money, in one word; null if it did not fail."""
    fees_paid: Decimal
    """The part of its fees that has arrived at the operator's wallet, in units of ``currency``
    (decimal string)."""
    settlement_account_id: str
    """The id of the settlement account that receives the money (UUID); null for the default account."""
    settlement_id: str
    """The id of the settlement (UUID)."""
    sweep_count: int
    """Number of its sweeps, in any status."""
    transfers: List[SettlementEventDataTransfers]
    """Its transfers that have arrived, at most 20."""


@dataclass(frozen=True)
class SettlementEventDataTransfers:

    amount: Decimal
    """Money in units of ``currency``, as a decimal string with at most 6 decimals, never a number."""
    recipient: Literal["merchant", "operator"]
    """Whom it pays: the ``merchant``, or the ``operator`` for its fees."""
    tx_hash: str
    """The id of the transaction on the chain: 64 hex characters in small letters."""


@dataclass(frozen=True)
class ShopConnection:
    """The key and the webhook endpoint of a shop. No other answer has the key or the secret."""

    api_key: str
    """The key of the shop, with ``charges:read charges:write deposits:read webhooks:read refunds:read
    refunds:write``. Shown only this once."""
    endpoint_id: str
    """The id of the shop's webhook endpoint (UUID)."""
    merchant_id: str
    """The id of the merchant whose shop it is (UUID)."""
    webhook_secret: str
    """The key that signs every event for the shop: ``whsec_`` and 64 hex characters. Shown only this
    once."""


@dataclass(frozen=True)
class SimulatedPayment:
    """A test case that was played on the devnet."""

    address: str
    """The paid TRON address in base58."""
    case: Literal["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"]
    """``exact``: the amount due. ``under``: half of it. ``over``: half as much again. ``twice``: the
    amount due in two transactions. ``late``: the amount due, after the order has expired.
    ``wrong_coin``: as many of the other currency. ``reorged``: the amount due, in a block that
    leaves the chain after it was read. If nothing is due, the amount is 10."""
    deposit_address_id: str
    """The deposit address that was paid (UUID)."""
    expected_events: List[Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]]
    """The events that follow if nothing else is paid. An endpoint receives those that it subscribes
    to, in any order."""
    forked_devnet: bool
    """true for ``reorged``: the newest blocks of the whole devnet were replaced, with the payments of
    all merchants in them."""
    next: str
    """The next steps in a sentence for people."""
    payments: List[SimulatedPaymentPayments]
    """The payments, in the order in which they were sent."""


@dataclass(frozen=True)
class SimulatedPaymentPayments:
    """One transfer on the devnet."""

    amount: str
    """The amount, in units of the payment's currency."""
    currency: Literal["USDT", "TRX"]
    """The currency sent: USDT or TRX."""
    tx_hash: str
    """Id of the transaction, 64 hex characters."""


@dataclass(frozen=True)
class SimulatedRefund:
    """A case of a refund that was played on the devnet."""

    address: Optional[str]
    """The TRON address that the refund goes to (base58); null without one."""
    case: Literal["claim", "pay", "short"]
    """``claim``: the payer names an address by the claim link. ``pay``: the exact amount is paid to
    it. ``short``: the amount is short by the smallest part of the coin."""
    expected_events: List[Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]]
    """The events that follow. An endpoint receives those that it subscribes to."""
    next: str
    """The next steps in a sentence for people."""
    payments: List[SimulatedRefundPayments]
    """The payment that was sent; none for ``claim``."""
    refund_id: str
    """The id of the refund (UUID); ``reference_id`` of its deliveries."""
    status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"]
    """The status of the refund afterwards."""


@dataclass(frozen=True)
class SimulatedRefundPayments:
    """One transfer on the devnet."""

    amount: str
    """The amount, in units of the payment's currency."""
    currency: Literal["USDT", "TRX"]
    """The currency sent: USDT or TRX."""
    tx_hash: str
    """Id of the transaction, 64 hex characters."""


@dataclass(frozen=True)
class Statement:
    """A calendar month of your time zone: balances that foot, and a page of entries."""

    balances: List[StatementBalance]
    """One row for each currency; ``opening`` + ``confirmed`` − ``fees`` − ``settled`` = ``closing``."""
    entries: List[StatementEntry]
    """One page of the month's entries, oldest first."""
    entry_count: int
    """Number of entries of the month, on all pages together."""
    from_: datetime
    """The first moment of the month (ISO 8601, UTC)."""
    is_closed: bool
    """Whether the month is over, so that its entries do not change any more."""
    month: str
    """The calendar month in the merchant's time zone, like ``2026-11``."""
    time_zone: str
    """The time zone of the merchant's days and months, by its name of the IANA."""
    to: datetime
    """The first moment of the next month (ISO 8601, UTC)."""


@dataclass(frozen=True)
class StatementBalance:
    """A month in one currency."""

    closing: Decimal
    """The amount that you are owed at the end of the month, in units of ``currency`` (decimal string)."""
    confirmed: Decimal
    """The amount that was confirmed in the month, in units of ``currency`` (decimal string)."""
    currency: Literal["USDT", "TRX"]
    """The currency of every amount of the row."""
    fees: Decimal
    """The fees of the month, in units of ``currency`` (decimal string)."""
    opening: Decimal
    """The amount that you were owed when the month began, in units of ``currency`` (decimal string)."""
    settled: Decimal
    """The amount that reached your wallets in the month, in units of ``currency`` (decimal string)."""


@dataclass(frozen=True)
class StatementEntry:
    """One change of what you are owed."""

    amount: Decimal
    """The amount that it adds to your balance, in units of ``currency`` (decimal string); negative if
    it takes from it."""
    booked_at: datetime
    """The time at which it was booked (ISO 8601, UTC)."""
    currency: Literal["USDT", "TRX"]
    """The currency of ``amount``."""
    deposit_address_id: str
    """The id of the deposit address that it is about (UUID)."""
    deposit_id: Optional[str]
    """The id of the deposit (UUID); null for a ``sweep`` and an ``outflow``."""
    kind: Literal["deposit", "unmatched", "fee", "fixed_fee", "fee_returned", "sweep", "outflow"]
    """``deposit`` is confirmed money, ``unmatched`` is money in another currency than was asked for.
    ``fee`` and ``fixed_fee`` are the service's; ``fee_returned`` is the share of a surplus that you
    refunded to its sender. ``sweep`` was sent to your wallet, ``outflow`` was moved there by hand."""
    order_ref: Optional[str]
    """Your own reference of the order; null if you gave none."""
    tx_hash: Optional[str]
    """The id of the transaction on the chain: 64 hex characters in small letters."""


@dataclass(frozen=True)
class Sweep:
    """One transfer out of a deposit address."""

    address: str
    """The TRON address that is swept (base58)."""
    amount: Decimal
    """The amount that is sent, in units of the settlement's currency (decimal string)."""
    deposit_address_id: str
    """The id of the deposit address that is swept (UUID)."""
    destination: str
    """The TRON address of the wallet that it pays (base58)."""
    id: str
    """The id of the sweep (UUID)."""
    reason: Optional[str]
    """Why it waits, is frozen or was given up, in words; null where nothing is to be said."""
    recipient: Literal["merchant", "operator"]
    """Whom it pays: the ``merchant``, or the ``operator`` for its fees."""
    status: Literal["PLANNED", "ACTIVATING", "RESOURCED", "SIGNED", "SENT", "SOLID", "RECLAIMED", "WAITING", "RETRY", "FROZEN", "DROPPED"]
    """How far it is. ``SOLID`` and ``RECLAIMED`` have arrived. ``WAITING`` waits for a price,
    ``RETRY`` is planned again, ``FROZEN`` waits for the operator, ``DROPPED`` was given up before
    anything was sent."""
    transactions: List[SweepTransaction]
    """Its transactions on the chain, in their order."""


@dataclass(frozen=True)
class SweepTransaction:
    """A transaction on the chain for one sweep."""

    block_number: Optional[int]
    """Height of the block that holds it; null while none is known."""
    fee: Optional[Decimal]
    """The network's fee from its sender, in units of TRX (decimal string); null while it is not known."""
    outcome: Optional[Literal["landed", "failed", "expired", "refused"]]
    """``landed``, ``failed`` on the chain, ``expired`` without a block, or ``refused`` by the signer;
    null while it is under way."""
    purpose: Literal["sweep", "top_up", "delegate", "undelegate"]
    """``sweep`` is the transfer itself. ``top_up`` sends TRX to the address before, ``delegate`` lends
    it energy, ``undelegate`` takes that back."""
    tx_hash: Optional[str]
    """The id of the transaction on the chain; null before it is signed."""


@dataclass(frozen=True)
class TestEvent:
    """The body of the event that a test sends."""

    api_version: Literal["v1"]
    """The version of the contract that the body follows."""
    created_at: datetime
    """The time at which the test was requested (ISO 8601, UTC)."""
    data: TestEventData
    """The content of a test; there is no payment behind it."""
    environment: Literal["live", "test"]
    """``live`` for real money, ``test`` for the test environment."""
    event: Literal["webhook.test"]
    """The name of the event."""
    id: str
    """The id of the event (UUID)."""
    sequence: int
    """Number of the event among those of its deposit, order or refund, from 1: drop one older than you
    have."""


@dataclass(frozen=True)
class TestEventData:
    """The content of a test; there is no payment behind it."""

    endpoint_id: str
    """The id of the endpoint that it is sent to (UUID)."""
    message: str
    """A sentence for people."""


@dataclass(frozen=True)
class WebhookAttempt:
    """One attempt to deliver."""

    attempted_at: datetime
    """The time at which the attempt began (ISO 8601, UTC)."""
    duration_ms: int
    """How long the endpoint took to answer, in milliseconds."""
    error: Optional[Literal["dns_error", "blocked_address", "connect_refused", "connect_timeout", "connect_error", "tls_error", "timeout", "reset", "invalid_response", "response_too_large", "http_status", "lease_expired", "body_missing", "event_refused", "endpoint_deleted", "parked_too_long", "expired"]]
    """Why the attempt failed, in one word; null if the endpoint accepted it."""
    number: int
    """Number of the attempt, counted from 1."""
    response_snippet: Optional[str]
    """The beginning of the answer, at most 2 KiB; null without an answer."""
    status_code: Optional[int]
    """The HTTP status code of the answer; null without an answer."""
    trigger: Literal["schedule", "resend", "test"]
    """The reason for the attempt: the schedule, a test, or a resend."""


@dataclass(frozen=True)
class WebhookDelivery:
    """An event on its way to one endpoint."""

    attempt_count: int
    """Number of attempts so far."""
    attempts: int
    """Number of attempts so far, the same as ``attempt_count``."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    deposit_address_id: Optional[str]
    """The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null
    for a test."""
    endpoint_id: str
    """The id of the endpoint that it is sent to (UUID)."""
    endpoint_url: Optional[str]
    """The URL of that endpoint as it is now; null once the endpoint is gone."""
    event_id: str
    """The id of the event, ``id`` in its body: the same in every attempt, so drop an id that you have
    seen."""
    event_type: Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]
    """The name of the event, ``event`` in its body."""
    id: str
    """The id of the row (UUID); it never changes."""
    last_error: Optional[Literal["dns_error", "blocked_address", "connect_refused", "connect_timeout", "connect_error", "tls_error", "timeout", "reset", "invalid_response", "response_too_large", "http_status", "lease_expired", "body_missing", "event_refused", "endpoint_deleted", "parked_too_long", "expired"]]
    """Why the last attempt failed, in one word; null if it did not or there was none."""
    last_status_code: Optional[int]
    """The HTTP status code of the last attempt; null without an answer."""
    next_attempt_at: Optional[datetime]
    """The time of the next attempt (ISO 8601, UTC); null if there is none."""
    order_ref: Optional[str]
    """Your own reference of that deposit address; null if you gave none."""
    reference_id: Optional[str]
    """The subject of the event (UUID): the deposit, for ``order.*`` the deposit address, for
    ``refund.*`` the refund, for ``settlement.*`` the settlement; null for a test."""
    status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"]
    """``DELIVERED`` and ``EXHAUSTED`` are final; ``FAILED`` waits for its next attempt, ``SENDING`` is
    in progress."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""


@dataclass(frozen=True)
class WebhookDeliveryDetail:
    """A delivery with every attempt made of it."""

    attempt_count: int
    """Number of attempts so far."""
    attempts: List[WebhookAttempt]
    """Every attempt, first to last."""
    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    deposit_address_id: Optional[str]
    """The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null
    for a test."""
    endpoint_id: str
    """The id of the endpoint that it is sent to (UUID)."""
    endpoint_url: Optional[str]
    """The URL of that endpoint as it is now; null once the endpoint is gone."""
    event_id: str
    """The id of the event, ``id`` in its body: the same in every attempt, so drop an id that you have
    seen."""
    event_type: Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]
    """The name of the event, ``event`` in its body."""
    id: str
    """The id of the row (UUID); it never changes."""
    last_error: Optional[Literal["dns_error", "blocked_address", "connect_refused", "connect_timeout", "connect_error", "tls_error", "timeout", "reset", "invalid_response", "response_too_large", "http_status", "lease_expired", "body_missing", "event_refused", "endpoint_deleted", "parked_too_long", "expired"]]
    """Why the last attempt failed, in one word; null if it did not or there was none."""
    last_status_code: Optional[int]
    """The HTTP status code of the last attempt; null without an answer."""
    next_attempt_at: Optional[datetime]
    """The time of the next attempt (ISO 8601, UTC); null if there is none."""
    order_ref: Optional[str]
    """Your own reference of that deposit address; null if you gave none."""
    reference_id: Optional[str]
    """The subject of the event (UUID): the deposit, for ``order.*`` the deposit address, for
    ``refund.*`` the refund, for ``settlement.*`` the settlement; null for a test."""
    status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"]
    """``DELIVERED`` and ``EXHAUSTED`` are final; ``FAILED`` waits for its next attempt, ``SENDING`` is
    in progress."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""


@dataclass(frozen=True)
class WebhookEndpoint:
    """A receiver of a merchant's events."""

    created_at: datetime
    """The time at which the row was created (ISO 8601, UTC)."""
    description: Optional[str]
    """A note of your own, at most 255 characters; null for none."""
    event_types: List[Literal["deposit.detected", "deposit.confirming", "deposit.confirmed", "deposit.unmatched", "deposit.stuck", "deposit.reorged", "deposit.failed", "order.paid", "order.underpaid", "order.overpaid", "order.expired", "order.paid_late", "order.accepted", "settlement.completed", "settlement.failed", "refund.requested", "refund.ready", "refund.completed", "refund.canceled", "webhook.test"]]
    """The names of the events that this endpoint receives."""
    id: str
    """The id of the row (UUID); it never changes."""
    is_active: bool
    """Whether events are sent. While it is ``false`` they wait, at most 3 days."""
    status: Literal["active", "disabled"]
    """``active`` if events are sent, ``disabled`` while they wait."""
    updated_at: datetime
    """The time of the last change of the row (ISO 8601, UTC)."""
    url: str
    """The http or https URL that receives the events, at most 2048 characters, without credentials."""


@dataclass(frozen=True)
class WebhookEndpointHealth:
    """How the receiver of an endpoint answers."""

    attempts: int
    """Number of attempts in the last 24 hours, to the hour, without tests."""
    failed_attempts: int
    """Number of failed attempts since its last success."""
    failing_since: Optional[datetime]
    """The time of the first failure after its last success (ISO 8601, UTC); null if the last attempt
    succeeded or there is none."""
    is_suspended: bool
    """Whether it gets one attempt a minute only, after five failures in a row, until one succeeds."""
    last_success_at: Optional[datetime]
    """The time of the last attempt that it accepted, to the minute (ISO 8601, UTC); null if there is
    none."""
    oldest_due_at: Optional[datetime]
    """Since when the delivery is due that waits longest (ISO 8601, UTC); null if none is due. While it
    is disabled, all wait."""
    p95_ms: Optional[int]
    """95 % of these attempts took at most so many milliseconds, rounded up by at most 19 %; null
    without an attempt."""
    success_rate: Optional[float]
    """Number of accepted attempts divided by that of all of them, from 0 to 1; null without an
    attempt."""


@dataclass(frozen=True)
class WebhookTestResult:
    """The endpoint's answer to a test."""

    duration_ms: int
    """How long the endpoint took to answer, in milliseconds."""
    endpoint_status: Optional[Literal["disabled"]]
    """Present if the endpoint is disabled: it gets only tests, and its events wait until it is
    enabled."""
    error: Optional[str]
    """Why it failed: a sentence that ends with the ``last_error`` of the delivery log; left out if the
    endpoint accepted the test."""
    ok: bool
    """Whether the endpoint answered with a 2xx status in time."""
    status_code: Optional[int]
    """The HTTP status code of the answer; none without an answer."""


WebhookEvent = Union[DepositEvent, OrderEvent, RefundEvent, SettlementEvent, TestEvent, EventRow]
"""An event by its name. It is an ``EventRow`` if this version does not know the name, or if ``data`` is kept no more."""

EVENTS: Mapping[str, Type[Any]] = {
    "deposit.confirmed": DepositEvent,
    "deposit.confirming": DepositEvent,
    "deposit.detected": DepositEvent,
    "deposit.failed": DepositEvent,
    "deposit.reorged": DepositEvent,
    "deposit.stuck": DepositEvent,
    "deposit.unmatched": DepositEvent,
    "order.accepted": OrderEvent,
    "order.expired": OrderEvent,
    "order.overpaid": OrderEvent,
    "order.paid": OrderEvent,
    "order.paid_late": OrderEvent,
    "order.underpaid": OrderEvent,
    "refund.canceled": RefundEvent,
    "refund.completed": RefundEvent,
    "refund.ready": RefundEvent,
    "refund.requested": RefundEvent,
    "settlement.completed": SettlementEvent,
    "settlement.failed": SettlementEvent,
    "webhook.test": TestEvent,
}
