# Written from clients/typescript/openapi.json by `npm run generate`.
from __future__ import annotations

from datetime import datetime
from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Mapping, Optional, Sequence

from ._operation import UNSET, CallOptions, Feed, File, Money, OnceMade, Operation, Page
from ._types import (
    Account,
    Balance,
    Checkout,
    CheckoutLookup,
    CreatedDepositAddress,
    CreatedWebhookEndpoint,
    DeleteWebhookEndpointAnswer,
    Deposit,
    DepositAddress,
    EventRow,
    LinkOrder,
    LookupRow,
    PaymentLink,
    PricingCurrency,
    Refund,
    RefundClaim,
    RotatedWebhookEndpoint,
    SentAgain,
    Settlement,
    SettlementAccount,
    SettlementDetail,
    ShopConnection,
    SimulatedPayment,
    SimulatedRefund,
    Statement,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookEndpoint,
    WebhookEndpointHealth,
    WebhookTestResult,
)

ACCEPT_DEPOSIT_ADDRESS: Operation[DepositAddress] = Operation("POST /v1/deposit-addresses/{id}/accept", DepositAddress)
ARCHIVE_DEPOSIT_ADDRESS: Operation[DepositAddress] = Operation("POST /v1/deposit-addresses/{id}/archive", DepositAddress, is_repeatable=True)
ASK_FOR_REFUND: Operation[Refund] = Operation("POST /v1/deposit-addresses/{id}/refunds", Refund, required=("refundRef",))
ASK_FOR_REFUND_ADDRESS_AGAIN: Operation[Refund] = Operation("POST /v1/refunds/{id}/ask-again", Refund)
ASK_FOR_REST: Operation[DepositAddress] = Operation("POST /v1/deposit-addresses/{id}/rest", DepositAddress, is_repeatable=True)
CANCEL_REFUND: Operation[Refund] = Operation("POST /v1/refunds/{id}/cancel", Refund, is_repeatable=True)
CLAIM_REFUND: Operation[RefundClaim] = Operation("POST /v1/refund-claims/{token}", RefundClaim, is_keyless=True, is_repeatable=True, required=("address",))
CONNECT_SHOP: Operation[ShopConnection] = Operation("POST /v1/shop-connections", ShopConnection, is_keyless=True, required=("code", "site", "webhookUrl",))
CREATE_DEPOSIT_ADDRESS: Operation[CreatedDepositAddress] = Operation("POST /v1/deposit-addresses", CreatedDepositAddress)
CREATE_LINK_ORDER: Operation[LinkOrder] = Operation("POST /v1/links/{token}/orders", LinkOrder, is_keyless=True)
CREATE_PAYMENT_LINK: Operation[PaymentLink] = Operation("POST /v1/payment-links", PaymentLink, required=("title",))
CREATE_WEBHOOK_ENDPOINT: Operation[CreatedWebhookEndpoint] = Operation("POST /v1/webhooks/endpoints", CreatedWebhookEndpoint, required=("url",))
DELETE_WEBHOOK_ENDPOINT: Operation[DeleteWebhookEndpointAnswer] = Operation("DELETE /v1/webhooks/endpoints/{id}", DeleteWebhookEndpointAnswer)
DOWNLOAD_RECEIPT: Operation[Any] = Operation("GET /v1/deposit-addresses/{id}/receipt", Any, is_repeatable=True, timeout=120.0)
DOWNLOAD_STATEMENT: Operation[Any] = Operation("GET /v1/statements", Any, is_repeatable=True, timeout=120.0)
EXPORT_FEES: Operation[Any] = Operation("GET /v1/exports/fees", Any, is_repeatable=True, timeout=120.0)
EXPORT_JOURNAL: Operation[Any] = Operation("GET /v1/exports/journal", Any, is_repeatable=True, timeout=120.0)
EXPORT_PAYMENTS: Operation[Any] = Operation("GET /v1/exports/payments", Any, is_repeatable=True, timeout=120.0)
EXPORT_REFUNDS: Operation[Any] = Operation("GET /v1/exports/refunds", Any, is_repeatable=True, timeout=120.0)
EXPORT_SETTLEMENTS: Operation[Any] = Operation("GET /v1/exports/settlements", Any, is_repeatable=True, timeout=120.0)
EXTEND_DEPOSIT_ADDRESS: Operation[DepositAddress] = Operation("POST /v1/deposit-addresses/{id}/extend", DepositAddress, required=("seconds",))
LIST_BALANCES: Operation[List[Balance]] = Operation("GET /v1/balances", List[Balance], is_repeatable=True)
LIST_CURRENCIES: Operation[List[PricingCurrency]] = Operation("GET /v1/currencies", List[PricingCurrency], is_keyless=True, is_repeatable=True)
LIST_DEPOSIT_ADDRESSES: Operation[DepositAddress] = Operation("GET /v1/deposit-addresses", DepositAddress, is_repeatable=True)
LIST_DEPOSITS: Operation[Deposit] = Operation("GET /v1/deposits", Deposit, is_repeatable=True)
LIST_EVENTS: Operation[EventRow] = Operation("GET /v1/events", EventRow, is_repeatable=True)
LIST_PAYMENT_LINKS: Operation[PaymentLink] = Operation("GET /v1/payment-links", PaymentLink, is_repeatable=True)
LIST_REFUNDS: Operation[Refund] = Operation("GET /v1/refunds", Refund, is_repeatable=True)
LIST_SETTLEMENT_ACCOUNTS: Operation[SettlementAccount] = Operation("GET /v1/settlement-accounts", SettlementAccount, is_repeatable=True)
LIST_SETTLEMENTS: Operation[Settlement] = Operation("GET /v1/settlements", Settlement, is_repeatable=True)
LIST_WEBHOOK_DELIVERIES: Operation[WebhookDelivery] = Operation("GET /v1/webhooks/deliveries", WebhookDelivery, is_repeatable=True)
LIST_WEBHOOK_ENDPOINTS: Operation[WebhookEndpoint] = Operation("GET /v1/webhooks/endpoints", WebhookEndpoint, is_repeatable=True)
LOOK_UP_CHECKOUT_TRANSACTION: Operation[CheckoutLookup] = Operation("POST /v1/checkout/{token}/lookup", CheckoutLookup, is_keyless=True, is_repeatable=True, required=("txHash",))
LOOK_UP_TRANSACTION: Operation[LookupRow] = Operation("GET /v1/lookup", LookupRow, is_repeatable=True)
RECOVER_WEBHOOK_ENDPOINT: Operation[SentAgain] = Operation("POST /v1/webhooks/endpoints/{id}/recover", SentAgain, is_repeatable=True, required=("from",), timeout=120.0)
REQUOTE_CHECKOUT: Operation[Checkout] = Operation("POST /v1/checkout/{token}/requote", Checkout, is_keyless=True, is_repeatable=True)
RESEND_WEBHOOK_DELIVERIES: Operation[SentAgain] = Operation("POST /v1/webhooks/deliveries/resend", SentAgain, timeout=120.0)
RESEND_WEBHOOK_DELIVERY: Operation[WebhookDelivery] = Operation("POST /v1/webhooks/deliveries/{id}/resend", WebhookDelivery)
RETRIEVE_ACCOUNT: Operation[Account] = Operation("GET /v1/account", Account, is_repeatable=True)
RETRIEVE_CHECKOUT: Operation[Checkout] = Operation("GET /v1/checkout/{token}", Checkout, is_keyless=True, is_repeatable=True)
RETRIEVE_DEPOSIT: Operation[Deposit] = Operation("GET /v1/deposits/{id}", Deposit, is_repeatable=True)
RETRIEVE_DEPOSIT_ADDRESS: Operation[DepositAddress] = Operation("GET /v1/deposit-addresses/{id}", DepositAddress, is_repeatable=True)
RETRIEVE_EVENT: Operation[EventRow] = Operation("GET /v1/events/{id}", EventRow, is_repeatable=True)
RETRIEVE_PAYMENT_LINK: Operation[PaymentLink] = Operation("GET /v1/payment-links/{id}", PaymentLink, is_repeatable=True)
RETRIEVE_REFUND: Operation[Refund] = Operation("GET /v1/refunds/{id}", Refund, is_repeatable=True)
RETRIEVE_REFUND_CLAIM: Operation[RefundClaim] = Operation("GET /v1/refund-claims/{token}", RefundClaim, is_keyless=True, is_repeatable=True)
RETRIEVE_SETTLEMENT: Operation[SettlementDetail] = Operation("GET /v1/settlements/{id}", SettlementDetail, is_repeatable=True)
RETRIEVE_STATEMENT: Operation[Statement] = Operation("GET /v1/statements", Statement, is_repeatable=True, timeout=120.0)
RETRIEVE_WEBHOOK_DELIVERY: Operation[WebhookDeliveryDetail] = Operation("GET /v1/webhooks/deliveries/{id}", WebhookDeliveryDetail, is_repeatable=True)
RETRIEVE_WEBHOOK_ENDPOINT: Operation[WebhookEndpoint] = Operation("GET /v1/webhooks/endpoints/{id}", WebhookEndpoint, is_repeatable=True)
RETRIEVE_WEBHOOK_ENDPOINT_HEALTH: Operation[WebhookEndpointHealth] = Operation("GET /v1/webhooks/endpoints/{id}/health", WebhookEndpointHealth, is_repeatable=True)
ROTATE_WEBHOOK_SECRET: Operation[RotatedWebhookEndpoint] = Operation("POST /v1/webhooks/endpoints/{id}/rotate-secret", RotatedWebhookEndpoint)
SEND_TEST_EVENT: Operation[WebhookTestResult] = Operation("POST /v1/webhooks/endpoints/{id}/test", WebhookTestResult)
SIMULATE_CHECKOUT_PAYMENT: Operation[SimulatedPayment] = Operation("POST /v1/checkout/{token}/simulate", SimulatedPayment, is_keyless=True, required=("case",))
SIMULATE_PAYMENT: Operation[SimulatedPayment] = Operation("POST /v1/test/deposit-addresses/{id}/simulate", SimulatedPayment, required=("case",))
SIMULATE_REFUND: Operation[SimulatedRefund] = Operation("POST /v1/test/refunds/{id}/simulate", SimulatedRefund, required=("case",))
UPDATE_PAYMENT_LINK: Operation[PaymentLink] = Operation("PATCH /v1/payment-links/{id}", PaymentLink)
UPDATE_WEBHOOK_ENDPOINT: Operation[WebhookEndpoint] = Operation("PATCH /v1/webhooks/endpoints/{id}", WebhookEndpoint, is_repeatable=True)


class Operations:
    """Every operation of the contract, in a client that waits for each answer."""

    def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        raise NotImplementedError

    def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Iterator[Any]:
        raise NotImplementedError

    def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        raise NotImplementedError

    def accept_deposit_address(
        self,
        id: str,
        *,
        reason: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Accept the received amount of an order as full payment.

        For an order short of its due: it is ARCHIVED, counts as paid from then on, and
        ``order.accepted`` is sent. ``payment_state`` still compares the received amount with the
        due. The key needs the scope ``charges:write``.

        :param reason: The reason to accept the received money as the full price. Only the merchant
            can read it.
        """
        answer: DepositAddress = self._call(ACCEPT_DEPOSIT_ADDRESS, options, path={"id": id}, body={
            "reason": reason,
        })
        return answer

    def archive_deposit_address(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Archive a deposit address that is no longer needed.

        Its status becomes ARCHIVED. Later payments to it are still recorded and announced. The key
        needs the scope ``charges:write``.
        """
        answer: DepositAddress = self._call(ARCHIVE_DEPOSIT_ADDRESS, options, path={"id": id})
        return answer

    def ask_for_refund(
        self,
        id: str,
        *,
        refund_ref: str,
        address: Optional[str] = UNSET,
        amount: Optional[Money] = UNSET,
        confirm_email: Optional[bool] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        fiat_amount: Optional[Money] = UNSET,
        reason: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Promise money back to the payer.

        Send ``claim_url`` to the payer, who names an address there. An owner or admin pays from a
        wallet of the merchant, and the service recognises the transfer. An order that is not paid
        is ARCHIVED first: later money to it is late. Where the money paid the order, a person must
        confirm. The key needs the scope ``refunds:write``.

        :param address: Where the money goes, if the payer need not name it. It needs the scope
            ``refunds:address``, and waits for an owner or admin.
        :param amount: Of the coin. Without it: what came too much, else all that is left.
        :param confirm_email: ``true`` in a person's session: the order's ``customer_email`` is the
            payer's, although the payer's side typed it. The claim link is mailed there.
        :param currency: The coin that goes back; by default that of the order. Name another one
            that came.
        :param fiat_amount: A part of the order's price in fiat: the same part of the coins that
            paid it, never today's rate.
        :param reason: Shown to your people, and in events.
        :param refund_ref: Your own reference: the same one on the same order answers the same
            refund.
        """
        answer: Refund = self._call(ASK_FOR_REFUND, options, path={"id": id}, body={
            "address": address,
            "amount": amount,
            "confirmEmail": confirm_email,
            "currency": currency,
            "fiatAmount": fiat_amount,
            "reason": reason,
            "refundRef": refund_ref,
        })
        return answer

    def ask_for_refund_address_again(
        self,
        id: str,
        *,
        confirm_email: Optional[bool] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Ask the payer for an address again.

        Makes a new ``claim_url``, and the old one is dead. A refund that was READY waits for the
        new address; do not pay the old one. The key needs the scope ``refunds:write``.

        :param confirm_email: ``true`` in a person's session: the order's ``customer_email`` is the
            payer's, although the payer's side typed it. The claim link is mailed there.
        """
        answer: Refund = self._call(ASK_FOR_REFUND_ADDRESS_AGAIN, options, path={"id": id}, body={
            "confirmEmail": confirm_email,
        })
        return answer

    def ask_for_rest(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Ask for the rest of an order that is short.

        Makes an order of what is missing, with the same ``order_ref``: send the customer to its
        ``checkout_url``. The short order is ARCHIVED, and later money to it is late. When the rest
        is paid, its ``order.paid`` has ``restCompletes: true``, and the short order is accepted.
        While a rest is open and asks for what is missing, the answer is that same row. The ``id``
        of a rest stands for its first order. The key needs the scope ``charges:write``.
        """
        answer: DepositAddress = self._call(ASK_FOR_REST, options, path={"id": id})
        return answer

    def cancel_refund(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Cancel a refund that is not on the chain.

        One that was READY is watched for 30 days more: a transfer that fits completes it all the
        same. A second time it answers the same. The key needs the scope ``refunds:write``.
        """
        answer: Refund = self._call(CANCEL_REFUND, options, path={"id": id})
        return answer

    def claim_refund(
        self,
        token: str,
        *,
        address: str,
        options: Optional[CallOptions] = None,
    ) -> RefundClaim:
        """Name the address that gets a refund.

        No key: the token is the capability. A link takes one address, once; the same one again
        answers the same. Ten refused addresses close the link. At most six requests a minute for a
        link.

        :param address: The payer's own TRON address, which is to get the money. The link takes one,
            once.
        """
        answer: RefundClaim = self._call(CLAIM_REFUND, options, path={"token": token}, body={
            "address": address,
        })
        return answer

    def connect_shop(
        self,
        *,
        code: str,
        site: str,
        webhook_url: str,
        options: Optional[CallOptions] = None,
    ) -> ShopConnection:
        """Connect a shop by its code.

        No key: the code of *Connect a shop* in the dashboard is the capability. It works once,
        within ten minutes. The shop gets a key and a webhook endpoint, and a few seconds later a
        ``webhook.test``. A refused request makes nothing, and the code stays.

        :param code: The code that the dashboard shows. Small letters, blanks and missing hyphens do
            no harm.
        :param site: The address of the shop, at most 120 characters. Its key has this name, and its
            endpoint this description.
        :param webhook_url: The http or https URL of the shop that receives the events, at most 2048
            characters.
        """
        answer: ShopConnection = self._call(CONNECT_SHOP, options, body={
            "code": code,
            "site": site,
            "webhookUrl": webhook_url,
        })
        return answer

    def create_deposit_address(
        self,
        *,
        amount: Optional[Money] = UNSET,
        api_key_id: str = UNSET,
        cancel_url: Optional[str] = UNSET,
        chain: Optional[Literal["tron"]] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        customer_email: Optional[str] = UNSET,
        customer_ref: Optional[str] = UNSET,
        label: Optional[str] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        order_ref: Optional[str] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        reusable: Optional[bool] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> CreatedDepositAddress:
        """Create an order, an open address or a receive address.

        With ``amount`` an order, with ``reusable`` a standing receive address, else an open address
        for any amount. There is no idempotency key: look for your ``orderRef`` in the list before
        you send it again. The key needs the scope ``charges:write``.

        :param amount: The price of the order: units of ``currency``, or of ``pricingCurrency`` with
            no more decimals than it has. Leave it out for an open or a receive address.
        :param api_key_id: Ignored: the key of the request counts.
        :param cancel_url: The page that the payer goes to after giving up or too late (http or
            https, at most 2048 characters); null for none.
        :param chain: The chain of the address: always ``tron``.
        :param currency: The currency that the payer sends. Every amount of the row is in it.
        :param customer_email: The payer's e-mail address, for the receipt and what the payer has to
            know. The first address of an order counts. It is encrypted, kept 90 days after the last
            change of the order, and never in webhooks.
        :param customer_ref: With ``reusable``: your own reference of the customer. Each customer
            has one standing address, found or created.
        :param label: A note of your own, at most 120 characters. The payer never sees it.
        :param metadata: Text of your own by name, which only you can read. At most 20 keys of 1 to
            40 characters. Values have at most 500 characters, and all together at most 2048 bytes, as
            JSON without blanks in UTF-8.
        :param order_ref: Your own reference of the order, at most 120 characters. The payer sees
            it. It need not be unique.
        :param pricing_currency: The currency of ``amount``, to convert at the current rate; leave
            it out for a price in the coin. ``GET /v1/currencies`` lists those that can be priced.
        :param reusable: ``true`` finds or creates a standing address that never expires. Not
            together with ``amount``.
        :param settlement_account_id: The id of the settlement account that receives the money
            (UUID); null for the default account.
        :param success_url: The page that the payer goes to after payment (http or https, at most
            2048 characters); null for none.
        """
        answer: CreatedDepositAddress = self._call(CREATE_DEPOSIT_ADDRESS, options, body={
            "amount": amount,
            "apiKeyId": api_key_id,
            "cancelUrl": cancel_url,
            "chain": chain,
            "currency": currency,
            "customerEmail": customer_email,
            "customerRef": customer_ref,
            "label": label,
            "metadata": metadata,
            "orderRef": order_ref,
            "pricingCurrency": pricing_currency,
            "reusable": reusable,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
        })
        return answer

    def create_order_once(
        self,
        *,
        amount: Money,
        order_ref: str,
        cancel_url: Optional[str] = UNSET,
        chain: Optional[Literal["tron"]] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        customer_email: Optional[str] = UNSET,
        label: Optional[str] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> OnceMade:
        """The order of this ``order_ref``: found, or made if there is none.

        One call after another finds the same order, and so do parallel calls of one client. Two
        processes in parallel may make two: the service has no idempotency key. Keep the order's id
        under a unique key of your own.

        :raises DaricError: ORDER_REF_CONFLICT if that order has another amount or currency. After
            an error with ``is_outcome_unknown`` wait 15 s, or ``retry_after`` if that is longer, and
            call again.
        """
        return self._once(options, {
            "amount": amount,
            "cancelUrl": cancel_url,
            "chain": chain,
            "currency": currency,
            "customerEmail": customer_email,
            "label": label,
            "metadata": metadata,
            "orderRef": order_ref,
            "pricingCurrency": pricing_currency,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
        })

    def create_link_order(
        self,
        token: str,
        *,
        amount: Optional[Money] = UNSET,
        attempt: Optional[str] = UNSET,
        email: Optional[str] = UNSET,
        name: Optional[str] = UNSET,
        note: Optional[str] = UNSET,
        ref: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> LinkOrder:
        """Create an order by a payment link.

        The same as a click on the page of a link. No key: the token is the capability. With the
        same ``attempt`` the answer is the same order, while that can be paid or is paid. A
        browser's request must come from a page of this service.

        :param amount: Money in units of ``currency``, as a decimal string with at most 6 decimals,
            never a number.
        :param attempt: A random text of your own for this click: sent again, it answers the same
            order.
        :param email: The payer's e-mail address, where the link asks for it and the service has a
            mail server; else it is not kept.
        :param name: The payer's name, where the link asks for it.
        :param note: The payer's note, where the link asks for one.
        :param ref: The ``ref`` in the address of the payment link.
        """
        answer: LinkOrder = self._call(CREATE_LINK_ORDER, options, path={"token": token}, body={
            "amount": amount,
            "attempt": attempt,
            "email": email,
            "name": name,
            "note": note,
            "ref": ref,
        })
        return answer

    def create_payment_link(
        self,
        *,
        title: str,
        amount: Optional[Money] = UNSET,
        ask: Optional[Sequence[Literal["name", "note", "email"]]] = UNSET,
        cancel_url: Optional[str] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        description: Optional[str] = UNSET,
        expires_at: Optional[datetime] = UNSET,
        max_amount: Optional[Money] = UNSET,
        max_payments: Optional[int] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        min_amount: Optional[Money] = UNSET,
        order_ref_prefix: Optional[str] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        suggested_amounts: Optional[Sequence[Money]] = UNSET,
        thanks: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Create a payment link.

        A template of orders with a public page at ``url``. Each click there makes an order; looking
        makes none. Without ``amount`` the payer chooses one within ``minAmount`` and ``maxAmount``.
        The key needs the scope ``charges:write``.

        :param amount: The fixed amount, in units of ``currency``, or of ``pricing_currency``
            (decimal string); null if the payer chooses.
        :param ask: The questions of the page to the payer: ``name``, which it then requires, and
            ``note``.
        :param cancel_url: Where the page of an expired or cancelled order leads; null without one.
        :param currency: The coin that the orders are paid in.
        :param description: More about it, shown on the page; null without any.
        :param expires_at: The end of new orders (ISO 8601, UTC); null without an end. Orders that
            exist go on.
        :param max_amount: The largest amount, where the payer chooses it.
        :param max_payments: The number of orders that may be paid; null without a limit. An order
            of a limited link lives 15 minutes.
        :param metadata: Text of your own by name, which only you can read. At most 20 keys of 1 to
            40 characters. Values have at most 500 characters, and all together at most 2048 bytes, as
            JSON without blanks in UTF-8.
        :param min_amount: The least amount, where the payer chooses it.
        :param order_ref_prefix: The beginning of each order's ``order_ref``; 8 random characters
            follow.
        :param pricing_currency: The currency of ``amount``, to convert at the current rate; leave
            it out for a price in the coin. ``GET /v1/currencies`` lists those that can be priced.
        :param settlement_account_id: The id of the settlement account that receives the money
            (UUID); null for the default account.
        :param success_url: Where the page of a paid order leads; null without one.
        :param suggested_amounts: The amounts that the page offers with one tap, in units of
            ``currency`` or ``pricing_currency`` (decimal strings).
        :param thanks: Shown on the page of an order that is paid.
        :param title: The name of the sold thing, shown on the page and as the ``label`` of its
            orders.
        """
        answer: PaymentLink = self._call(CREATE_PAYMENT_LINK, options, body={
            "amount": amount,
            "ask": ask,
            "cancelUrl": cancel_url,
            "currency": currency,
            "description": description,
            "expiresAt": expires_at,
            "maxAmount": max_amount,
            "maxPayments": max_payments,
            "metadata": metadata,
            "minAmount": min_amount,
            "orderRefPrefix": order_ref_prefix,
            "pricingCurrency": pricing_currency,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
            "suggestedAmounts": suggested_amounts,
            "thanks": thanks,
            "title": title,
        })
        return answer

    def create_webhook_endpoint(
        self,
        *,
        url: str,
        description: Optional[str] = UNSET,
        event_types: Optional[Sequence[str]] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> CreatedWebhookEndpoint:
        """Create a webhook endpoint.

        The answer holds the secret that signs its events; no other answer ever does. The key needs
        the scope ``webhooks:write``.

        :param description: A note of your own, at most 255 characters; null for none.
        :param event_types: Event types: deposit.detected, deposit.confirming, deposit.confirmed,
            deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid,
            order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted,
            settlement.completed, settlement.failed, refund.requested, refund.ready, refund.completed,
            refund.canceled, webhook.test.
        :param url: The http or https URL that receives the events, at most 2048 characters, without
            credentials.
        """
        answer: CreatedWebhookEndpoint = self._call(CREATE_WEBHOOK_ENDPOINT, options, body={
            "description": description,
            "eventTypes": event_types,
            "url": url,
        })
        return answer

    def delete_webhook_endpoint(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DeleteWebhookEndpointAnswer:
        """Delete a webhook endpoint.

        No more events are sent to it, and its secret is erased. Waiting deliveries end as
        ``EXHAUSTED``. The key needs the scope ``webhooks:write``.
        """
        answer: DeleteWebhookEndpointAnswer = self._call(DELETE_WEBHOOK_ENDPOINT, options, path={"id": id})
        return answer

    def download_receipt(
        self,
        id: str,
        *,
        language: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the receipt of a payment as PDF.

        The price and the payments, with the value of each transfer in the currency of your books.
        It is a receipt of payment, not a tax invoice. The key needs the scope ``charges:read``.

        :param language: The language of the receipt.
        """
        answer: File = self._file(DOWNLOAD_RECEIPT, options, path={"id": id}, query={
            "language": language,
        })
        return answer

    def download_statement(
        self,
        *,
        month: str,
        format: Literal["csv", "xlsx", "pdf"],
        language: str = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the statement of a month.

        A calendar month in your time zone; ``is_closed`` says whether it is over. ``opening`` +
        ``confirmed`` − ``fees`` − ``settled`` = ``closing``, and the ``amount`` of all entries adds
        up to the same. ``page`` and ``limit`` choose entries. ``format=csv`` answers all of them as
        ``text/csv``, between the opening and the closing balances; ``bom=0`` writes them for
        programs. The balances of a month that is not over are ``so_far`` in place of ``closing``.
        ``format=xlsx`` has up to 100,000 entries, and ``format=pdf`` up to 5,000, for people. The
        key needs the scope ``settlements:read``.

        :param month: The calendar month in the merchant's time zone, like ``2026-11``.
        :param format: The format of the file.
        :param language: The language of the PDF.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        """
        answer: File = self._file(DOWNLOAD_STATEMENT, options, query={
            "month": month,
            "format": format,
            "language": language,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
        })
        return answer

    def export_fees(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download fees as a file.

        A row for each fee that the service charged or gave back, oldest first, with its deposit and
        its value. Made from ``from`` on and before ``to``. CSV and JSON stream any number of rows,
        and XLSX has at most 100,000. ``bom=0`` writes CSV for programs. The key needs the scope
        ``settlements:read``.

        :param format: The kind of file. XLSX is for spreadsheets, JSON for programs.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        """
        answer: File = self._file(EXPORT_FEES, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
        })
        return answer

    def export_journal(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the journal as a file.

        The books in double entry: a row for each line of an entry, oldest first. The last row
        counts the entries whose value is not known yet. Made from ``from`` on and before ``to``.
        CSV and JSON stream any number of rows, and XLSX has at most 100,000. ``bom=0`` writes CSV
        for programs. The key needs the scope ``settlements:read``.

        :param format: The kind of file. XLSX is for spreadsheets, JSON for programs.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        """
        answer: File = self._file(EXPORT_JOURNAL, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
        })
        return answer

    def export_payments(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        payment: Literal["paid", "short"] = UNSET,
        reference: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download payments as a file.

        A row for each payment, newest first, with its price, its value and their difference. Made
        from ``from`` on and before ``to``. CSV and JSON stream any number of rows, and XLSX has at
        most 100,000. ``bom=0`` writes CSV for programs. The key needs the scope ``charges:read``.

        :param format: The kind of file. XLSX is for spreadsheets, JSON for programs.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        :param kind: ``order`` has an amount, ``open`` takes any amount for a time, ``receive`` is a
            standing address.
        :param status: The state of the row, one of those in the list. No state is skipped without
            an event.
        :param payment: ``paid``: only orders that are paid or accepted. ``short``: only those with
            some confirmed money that are neither.
        :param reference: How ``order_ref`` begins, letter by letter.
        :param payment_link_id: Only orders made by this payment link, by its id (UUID).
        :param payer_ref: Only orders whose link was opened with this ``ref``.
        """
        answer: File = self._file(EXPORT_PAYMENTS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "kind": kind,
            "status": status,
            "payment": payment,
            "reference": reference,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
        })
        return answer

    def export_refunds(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download refunds as a file.

        A row for each refund, newest first, with the value of what it paid. Made from ``from`` on
        and before ``to``. CSV and JSON stream any number of rows, and XLSX has at most 100,000.
        ``bom=0`` writes CSV for programs. The key needs the scope ``refunds:read``.

        :param format: The kind of file. XLSX is for spreadsheets, JSON for programs.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        :param status: The state of the row, one of those in the list. No state is skipped without
            an event.
        :param deposit_address_id: The id of the deposit address that was paid (UUID).
        """
        answer: File = self._file(EXPORT_REFUNDS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "status": status,
            "depositAddressId": deposit_address_id,
        })
        return answer

    def export_settlements(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download settlements as a file.

        A row for each settlement, newest first, with the values of what it paid and cost. Made from
        ``from`` on and before ``to``. CSV and JSON stream any number of rows, and XLSX has at most
        100,000. ``bom=0`` writes CSV for programs. The key needs the scope ``settlements:read``.

        :param format: The kind of file. XLSX is for spreadsheets, JSON for programs.
        :param bom: ``0`` writes CSV for programs: without the byte order mark, with names and times
            of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.
        :param separator: The mark between the columns of CSV.
        :param decimal: The decimal mark of CSV.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        :param status: The state of the row, one of those in the list. No state is skipped without
            an event.
        :param currency: The currency that the payer sends. Every amount of the row is in it.
        """
        answer: File = self._file(EXPORT_SETTLEMENTS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "status": status,
            "currency": currency,
        })
        return answer

    def extend_deposit_address(
        self,
        id: str,
        *,
        seconds: int,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Give an order or an open address more time.

        Moves ``expires_at`` and the end of the late window while it is ACTIVE and its time is not
        over; a quote keeps its end. The key needs the scope ``charges:write``.

        :param seconds: By how many seconds ``expires_at`` and the end of the late window move.
            ``expires_at`` ends at most 90 days behind ``created_at``.
        """
        answer: DepositAddress = self._call(EXTEND_DEPOSIT_ADDRESS, options, path={"id": id}, body={
            "seconds": seconds,
        })
        return answer

    def list_balances(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> List[Balance]:
        """See what you are owed and where it is.

        One row for each currency: ``confirmed`` − ``fees`` = ``settled`` + ``in_flight`` +
        ``waiting``. ``waiting_for`` names what you wait for by the reason why. The key needs the
        scope ``settlements:read``.
        """
        answer: List[Balance] = self._call(LIST_BALANCES, options)
        return answer

    def list_currencies(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> List[PricingCurrency]:
        """List the currencies of prices.

        The values of ``pricingCurrency``, with their decimals and sources. It needs no key. A
        currency with fewer than three sources cannot be priced.
        """
        answer: List[PricingCurrency] = self._call(LIST_CURRENCIES, options)
        return answer

    def list_deposit_addresses(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        chain: Literal["tron"] = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        order_ref: str = UNSET,
        customer_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        payment_status: Literal["paid", "confirming", "detected", "awaiting", "expired"] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[DepositAddress]:
        """List deposit addresses.

        Newest first. Every filter narrows the list further. ``address`` is empty in a row whose
        address cannot be proven to be ours. The key needs the scope ``charges:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: Only rows in this status.
        :param chain: Only rows of this chain.
        :param kind: Only ``order`` (with an amount), ``open`` (any amount, for a time) or
            ``receive`` (standing); ``order`` adds ``payment_status``.
        :param order_ref: Only rows with exactly this reference of yours: look here before you
            create.
        :param customer_ref: Your own name of the customer of this standing address, at most 120
            characters.
        :param payment_link_id: The id of the payment link that the order was made by (UUID);
            otherwise null.
        :param payer_ref: The ``ref`` in the address of the payment link; null without one. The
            payer's side typed it, so it proves nothing.
        :param payment_status: Only orders whose ``payment_status`` is this one now; rows then have
            it.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        """
        answer: Page[DepositAddress] = self._page(LIST_DEPOSIT_ADDRESSES, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "chain": chain,
            "kind": kind,
            "orderRef": order_ref,
            "customerRef": customer_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "paymentStatus": payment_status,
            "from": from_,
            "to": to,
        })
        return answer

    def all_deposit_addresses(
        self,
        *,
        limit: int = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        chain: Literal["tron"] = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        order_ref: str = UNSET,
        customer_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        payment_status: Literal["paid", "confirming", "detected", "awaiting", "expired"] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[DepositAddress]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_DEPOSIT_ADDRESSES, options, query={
            "limit": limit,
            "status": status,
            "chain": chain,
            "kind": kind,
            "orderRef": order_ref,
            "customerRef": customer_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "paymentStatus": payment_status,
            "from": from_,
            "to": to,
        })

    def list_deposits(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        deposit_address_id: str = UNSET,
        order_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        tx_hash: str = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Deposit]:
        """List deposits.

        Newest first. Every filter narrows the list further. The key needs the scope
        ``deposits:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: Only deposits in this status.
        :param currency: Only deposits of this currency.
        :param deposit_address_id: Only deposits to the deposit address with this id (UUID).
        :param order_ref: Only deposits to deposit addresses with exactly this reference of yours.
        :param payment_link_id: The id of the payment link that the order was made by (UUID);
            otherwise null.
        :param payer_ref: The ``ref`` in the address of the payment link; null without one. The
            payer's side typed it, so it proves nothing.
        :param tx_hash: The transaction's id on the chain: 64 hex characters, in any case; or an
            explorer's link that holds it.
        :param from_: Only rows created at this time or later (ISO 8601 with an offset).
        :param to: Only rows created before this time (ISO 8601 with an offset).
        """
        answer: Page[Deposit] = self._page(LIST_DEPOSITS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "currency": currency,
            "depositAddressId": deposit_address_id,
            "orderRef": order_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "txHash": tx_hash,
            "from": from_,
            "to": to,
        })
        return answer

    def all_deposits(
        self,
        *,
        limit: int = UNSET,
        status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        deposit_address_id: str = UNSET,
        order_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        tx_hash: str = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[Deposit]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_DEPOSITS, options, query={
            "limit": limit,
            "status": status,
            "currency": currency,
            "depositAddressId": deposit_address_id,
            "orderRef": order_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "txHash": tx_hash,
            "from": from_,
            "to": to,
        })

    def list_events(
        self,
        *,
        limit: int = UNSET,
        after: str = UNSET,
        types: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Feed[EventRow]:
        """List events, oldest first.

        Every event of yours in one fixed order, whether or not it was delivered. To catch up, read
        on from the last one that you handled. An event that is new comes after all that were listed
        before. Pass ``next`` of ``meta`` as ``after``. With ``types`` a page may be empty although
        ``has_more`` is true: one call reads past 1,000 events at most. The key needs the scope
        ``webhooks:read``.

        :param limit: Number of rows on a page.
        :param after: The id of an event: the page begins with the event after it. ``newest``
            answers an empty page, to read on from now. Left out, the page begins with your first event.
        :param types: Only events with these names, with commas between.
        """
        answer: Feed[EventRow] = self._page(LIST_EVENTS, options, query={
            "limit": limit,
            "after": after,
            "types": types,
        })
        return answer

    def list_payment_links(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["active", "disabled", "sold_out", "expired"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[PaymentLink]:
        """List payment links.

        Newest first. The orders of one link are ``GET /v1/deposit-addresses?paymentLinkId=``. The
        key needs the scope ``charges:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: The state of the row, one of those in the list. No state is skipped without
            an event.
        """
        answer: Page[PaymentLink] = self._page(LIST_PAYMENT_LINKS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
        })
        return answer

    def all_payment_links(
        self,
        *,
        limit: int = UNSET,
        status: Literal["active", "disabled", "sold_out", "expired"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[PaymentLink]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_PAYMENT_LINKS, options, query={
            "limit": limit,
            "status": status,
        })

    def list_refunds(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Refund]:
        """List refunds.

        Newest first. ``claim_url`` is null in lists. The key needs the scope ``refunds:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: Only refunds in this status.
        :param deposit_address_id: Only refunds of the deposit address with this id (UUID).
        """
        answer: Page[Refund] = self._page(LIST_REFUNDS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "depositAddressId": deposit_address_id,
        })
        return answer

    def all_refunds(
        self,
        *,
        limit: int = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[Refund]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_REFUNDS, options, query={
            "limit": limit,
            "status": status,
            "depositAddressId": deposit_address_id,
        })

    def list_settlement_accounts(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[SettlementAccount]:
        """List your settlement accounts.

        The default first, then newest first. Your operator adds, disables and orders them; no API
        key can. The key needs the scope ``settlements:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        """
        answer: Page[SettlementAccount] = self._page(LIST_SETTLEMENT_ACCOUNTS, options, query={
            "page": page,
            "limit": limit,
        })
        return answer

    def list_settlements(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Settlement]:
        """List settlements.

        Newest first. A settlement is the transfers of one plan to one of your wallets. The key
        needs the scope ``settlements:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: The state of the row, one of those in the list. No state is skipped without
            an event.
        :param currency: The currency that the payer sends. Every amount of the row is in it.
        """
        answer: Page[Settlement] = self._page(LIST_SETTLEMENTS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "currency": currency,
        })
        return answer

    def all_settlements(
        self,
        *,
        limit: int = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[Settlement]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_SETTLEMENTS, options, query={
            "limit": limit,
            "status": status,
            "currency": currency,
        })

    def list_webhook_deliveries(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] = UNSET,
        reference_id: str = UNSET,
        endpoint_id: str = UNSET,
        order_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[WebhookDelivery]:
        """List webhook deliveries.

        Newest first: each event on its way to each endpoint. The key needs the scope
        ``webhooks:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: Only deliveries in this status.
        :param reference_id: Only deliveries about the deposit, deposit address or refund with this
            id (UUID).
        :param endpoint_id: Only deliveries to the endpoint with this id (UUID).
        :param order_ref: Only deliveries about deposit addresses with exactly this reference of
            yours, and about their deposits.
        """
        answer: Page[WebhookDelivery] = self._page(LIST_WEBHOOK_DELIVERIES, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "referenceId": reference_id,
            "endpointId": endpoint_id,
            "orderRef": order_ref,
        })
        return answer

    def all_webhook_deliveries(
        self,
        *,
        limit: int = UNSET,
        status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] = UNSET,
        reference_id: str = UNSET,
        endpoint_id: str = UNSET,
        order_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[WebhookDelivery]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_WEBHOOK_DELIVERIES, options, query={
            "limit": limit,
            "status": status,
            "referenceId": reference_id,
            "endpointId": endpoint_id,
            "orderRef": order_ref,
        })

    def list_webhook_endpoints(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["active", "disabled"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[WebhookEndpoint]:
        """List webhook endpoints.

        Newest first, without their secrets. The key needs the scope ``webhooks:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param after: The id of a row: the list begins with the row after it, and ``page`` counts
            from there. Reading on from the last row of a page costs the same at any depth, and no row
            is skipped or repeated.
        :param status: Only endpoints in this status.
        """
        answer: Page[WebhookEndpoint] = self._page(LIST_WEBHOOK_ENDPOINTS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
        })
        return answer

    def all_webhook_endpoints(
        self,
        *,
        limit: int = UNSET,
        status: Literal["active", "disabled"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Iterator[WebhookEndpoint]:
        """Every row, newest first, read page by page: ``for row in …``."""
        return self._rows(LIST_WEBHOOK_ENDPOINTS, options, query={
            "limit": limit,
            "status": status,
        })

    def look_up_checkout_transaction(
        self,
        token: str,
        *,
        tx_hash: str,
        options: Optional[CallOptions] = None,
    ) -> CheckoutLookup:
        """Look up a payer's transaction.

        For a payer who has paid and does not see it. A payment to any address of the order and its
        rests counts. Never reveals another order: of a payment elsewhere it returns only the last
        four characters of the address. Six a minute for a token. A node is queried for the rest,
        within a limit for the merchant and the address; beyond it the result is ``busy``.

        :param tx_hash: The id of the transaction on the chain: 64 hex characters in small letters.
        """
        answer: CheckoutLookup = self._call(LOOK_UP_CHECKOUT_TRANSACTION, options, path={"token": token}, body={
            "txHash": tx_hash,
        })
        return answer

    def look_up_transaction(
        self,
        *,
        tx_hash: str,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[LookupRow]:
        """Look up the deposits of a transaction.

        Every deposit of yours in one transaction, with its deposit address. A transaction without
        any is an empty list. The key needs the scope ``deposits:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param tx_hash: The transaction's id on the chain: 64 hex characters, in any case; or an
            explorer's link that holds it.
        """
        answer: Page[LookupRow] = self._page(LOOK_UP_TRANSACTION, options, query={
            "page": page,
            "limit": limit,
            "txHash": tx_hash,
        })
        return answer

    def recover_webhook_endpoint(
        self,
        id: str,
        *,
        from_: datetime,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> SentAgain:
        """Send an endpoint what it missed.

        The events from ``from`` to ``to`` that the endpoint subscribes to now and did not accept,
        oldest first, one every 50 ms beside new events. Also those from before it was created. At
        most 6 calls a minute, together with its test events. The key needs the scope
        ``webhooks:write``.

        :param from_: The first moment (ISO 8601 with an offset), at most 30 days before ``to``.
        :param to: The moment after the last one (ISO 8601 with an offset); now where it is not
            given.
        """
        answer: SentAgain = self._call(RECOVER_WEBHOOK_ENDPOINT, options, path={"id": id}, body={
            "from": from_,
            "to": to,
        })
        return answer

    def requote_checkout(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Checkout:
        """Lock a fresh rate for an order priced in fiat.

        While the last quote holds it stays; once it has lapsed there is a new one. Returns what a
        payer may see.
        """
        answer: Checkout = self._call(REQUOTE_CHECKOUT, options, path={"token": token})
        return answer

    def resend_webhook_deliveries(
        self,
        *,
        endpoint_id: str = UNSET,
        event_types: Sequence[str] = UNSET,
        from_: datetime = UNSET,
        reference_id: str = UNSET,
        status: Literal["FAILED", "DELIVERED", "EXHAUSTED"] = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> SentAgain:
        """Send many deliveries once more.

        The matching deliveries of active endpoints, oldest first, one every 50 ms beside new
        events. By default these are the ``FAILED`` and ``EXHAUSTED`` ones of the last 30 days. Each
        goes out with the same bytes. At most 6 calls a minute. The key needs the scope
        ``webhooks:write``.

        :param endpoint_id: Only deliveries to the endpoint with this id (UUID).
        :param event_types: Only deliveries of events with these names.
        :param from_: The first moment (ISO 8601 with an offset), at most 30 days before ``to``.
        :param reference_id: Only deliveries about the deposit, deposit address or refund with this
            id (UUID).
        :param status: Only deliveries in this status; ``FAILED`` and ``EXHAUSTED`` where it is not
            given.
        :param to: The moment after the last one (ISO 8601 with an offset); now where it is not
            given.
        """
        answer: SentAgain = self._call(RESEND_WEBHOOK_DELIVERIES, options, body={
            "endpointId": endpoint_id,
            "eventTypes": event_types,
            "from": from_,
            "referenceId": reference_id,
            "status": status,
            "to": to,
        })
        return answer

    def resend_webhook_delivery(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookDelivery:
        """Send a delivery once more.

        One more attempt at once with the same bytes and the same endpoint, whatever the status of
        the delivery. At most 6 a minute for one endpoint, together with its test events. The key
        needs the scope ``webhooks:write``.
        """
        answer: WebhookDelivery = self._call(RESEND_WEBHOOK_DELIVERY, options, path={"id": id})
        return answer

    def retrieve_account(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> Account:
        """See whose key this is.

        The merchant, the environment and the network of the key, and what it may do. Any key may
        call it.
        """
        answer: Account = self._call(RETRIEVE_ACCOUNT, options)
        return answer

    def retrieve_checkout(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Checkout:
        """Retrieve what a payer may see.

        The content of the hosted page, not older than a second. No key: the token is the
        capability. Ask every few seconds at most, with the ETag of the last answer in
        If-None-Match; or open a websocket at this path with /live behind it, which sends ``{
        "type": "checkout", "data": … }`` at once and after every change.
        """
        answer: Checkout = self._call(RETRIEVE_CHECKOUT, options, path={"token": token})
        return answer

    def retrieve_deposit(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Deposit:
        """Retrieve a deposit.

        One transfer to one of your addresses, with how final it is. The key needs the scope
        ``deposits:read``.
        """
        answer: Deposit = self._call(RETRIEVE_DEPOSIT, options, path={"id": id})
        return answer

    def retrieve_deposit_address(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Retrieve a deposit address.

        One deposit address with the amounts that it has received so far. Prefer webhooks to
        polling. The key needs the scope ``charges:read``.
        """
        answer: DepositAddress = self._call(RETRIEVE_DEPOSIT_ADDRESS, options, path={"id": id})
        return answer

    def retrieve_event(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> EventRow:
        """Retrieve an event.

        One event, with the body of its webhook. The key needs the scope ``webhooks:read``.
        """
        answer: EventRow = self._call(RETRIEVE_EVENT, options, path={"id": id})
        return answer

    def retrieve_payment_link(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Retrieve a payment link.

        One payment link, with how many of its orders are open and paid. The key needs the scope
        ``charges:read``.
        """
        answer: PaymentLink = self._call(RETRIEVE_PAYMENT_LINK, options, path={"id": id})
        return answer

    def retrieve_refund(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Retrieve a refund.

        One refund. ``claim_url`` is there for keys with ``refunds:write`` alone. The key needs the
        scope ``refunds:read``.
        """
        answer: Refund = self._call(RETRIEVE_REFUND, options, path={"id": id})
        return answer

    def retrieve_refund_claim(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> RefundClaim:
        """Retrieve a refund as its payer sees it.

        No key: the token at the end of ``claim_url`` is the capability. Once the link took an
        address it shows that one.
        """
        answer: RefundClaim = self._call(RETRIEVE_REFUND_CLAIM, options, path={"token": token})
        return answer

    def retrieve_settlement(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> SettlementDetail:
        """Retrieve a settlement.

        With its sweeps, their transactions on the chain, and what these have cost. The key needs
        the scope ``settlements:read``.
        """
        answer: SettlementDetail = self._call(RETRIEVE_SETTLEMENT, options, path={"id": id})
        return answer

    def retrieve_statement(
        self,
        *,
        month: str,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Statement:
        """Retrieve the statement of a month.

        A calendar month in your time zone; ``is_closed`` says whether it is over. ``opening`` +
        ``confirmed`` − ``fees`` − ``settled`` = ``closing``, and the ``amount`` of all entries adds
        up to the same. ``page`` and ``limit`` choose entries. ``format=csv`` answers all of them as
        ``text/csv``, between the opening and the closing balances; ``bom=0`` writes them for
        programs. The balances of a month that is not over are ``so_far`` in place of ``closing``.
        ``format=xlsx`` has up to 100,000 entries, and ``format=pdf`` up to 5,000, for people. The
        key needs the scope ``settlements:read``.

        :param page: Number of the page, counted from 1.
        :param limit: Number of rows on a page.
        :param month: The calendar month in the merchant's time zone, like ``2026-11``.
        """
        answer: Statement = self._call(RETRIEVE_STATEMENT, options, query={
            "page": page,
            "limit": limit,
            "month": month,
        })
        return answer

    def retrieve_webhook_delivery(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookDeliveryDetail:
        """Retrieve a webhook delivery.

        One delivery with every attempt that was made. The key needs the scope ``webhooks:read``.
        """
        answer: WebhookDeliveryDetail = self._call(RETRIEVE_WEBHOOK_DELIVERY, options, path={"id": id})
        return answer

    def retrieve_webhook_endpoint(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpoint:
        """Retrieve a webhook endpoint.

        One endpoint, without its secret. The key needs the scope ``webhooks:read``.
        """
        answer: WebhookEndpoint = self._call(RETRIEVE_WEBHOOK_ENDPOINT, options, path={"id": id})
        return answer

    def retrieve_webhook_endpoint_health(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpointHealth:
        """Retrieve the health of a webhook endpoint.

        How its receiver answers: the last success, since when it fails, what waits, and the
        attempts of the last 24 hours without tests. The key needs the scope ``webhooks:read``.
        """
        answer: WebhookEndpointHealth = self._call(RETRIEVE_WEBHOOK_ENDPOINT_HEALTH, options, path={"id": id})
        return answer

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        overlap_seconds: Optional[int] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> RotatedWebhookEndpoint:
        """Give a webhook endpoint a new secret.

        Makes a new secret, which is shown this once. For as long as the overlap lasts every
        delivery is signed with the secret before too, so that receivers can change over. A second
        rotation within it ends the oldest secret. The key needs the scope ``webhooks:write``.

        :param overlap_seconds: For how many seconds deliveries are signed with the secret before
            too; 86400, a day, where it is not given.
        """
        answer: RotatedWebhookEndpoint = self._call(ROTATE_WEBHOOK_SECRET, options, path={"id": id}, body={
            "overlapSeconds": overlap_seconds,
        })
        return answer

    def send_test_event(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookTestResult:
        """Send a test event and wait for the answer.

        One signed ``webhook.test``, one attempt, also to an endpoint that is disabled. At most 6 a
        minute for one endpoint, together with its resends. The key needs the scope
        ``webhooks:write``.
        """
        answer: WebhookTestResult = self._call(SEND_TEST_EVENT, options, path={"id": id})
        return answer

    def simulate_checkout_payment(
        self,
        token: str,
        *,
        case: Literal["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedPayment:
        """Play a test case: have the devnet pay a checkout.

        Only on the devnet network. Like simulatePayment, with a checkout token instead of a key:
        the page's test panel uses it.

        :param case: ``exact``: the amount due. ``under``: half of it. ``over``: half as much again.
            ``twice``: the amount due in two transactions. ``late``: the amount due, after the order has
            expired. ``wrong_coin``: as many of the other currency. ``reorged``: the amount due, in a
            block that leaves the chain after it was read. If nothing is due, the amount is 10.
        """
        answer: SimulatedPayment = self._call(SIMULATE_CHECKOUT_PAYMENT, options, path={"token": token}, body={
            "case": case,
        })
        return answer

    def simulate_payment(
        self,
        id: str,
        *,
        case: Literal["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedPayment:
        """Play a test case: have the devnet pay a deposit address.

        Only on the devnet network. A real, signed payment on the local chain: the service reads it
        like any other. Moves no clock and mines no block. The key needs the scope
        ``charges:write``.

        :param case: ``exact``: the amount due. ``under``: half of it. ``over``: half as much again.
            ``twice``: the amount due in two transactions. ``late``: the amount due, after the order has
            expired. ``wrong_coin``: as many of the other currency. ``reorged``: the amount due, in a
            block that leaves the chain after it was read. If nothing is due, the amount is 10.
        """
        answer: SimulatedPayment = self._call(SIMULATE_PAYMENT, options, path={"id": id}, body={
            "case": case,
        })
        return answer

    def simulate_refund(
        self,
        id: str,
        *,
        case: Literal["claim", "pay", "short"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedRefund:
        """Play a test case of a refund: its payer, or its payment.

        Only on the devnet network. A real, signed payment on the local chain, which the service
        recognises like any other. The devnet's wallet becomes a paying wallet of yours by ``pay``.
        The key needs the scope ``refunds:write``.

        :param case: ``claim``: the payer names an address by the claim link. ``pay``: the exact
            amount is paid to it. ``short``: the amount is short by the smallest part of the coin.
        """
        answer: SimulatedRefund = self._call(SIMULATE_REFUND, options, path={"id": id}, body={
            "case": case,
        })
        return answer

    def update_payment_link(
        self,
        id: str,
        *,
        description: Optional[str] = UNSET,
        expires_at: Optional[datetime] = UNSET,
        is_active: bool = UNSET,
        max_payments: Optional[int] = UNSET,
        title: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Change or pause a payment link.

        A missing field stays as it is. A change never reaches an order that exists. ``isActive:
        false`` pauses the link. The key needs the scope ``charges:write``.

        :param description: More about it, shown on the page; null without any.
        :param expires_at: The end of new orders (ISO 8601, UTC); null without an end. Orders that
            exist go on.
        :param is_active: False pauses the link: it takes no new orders.
        :param max_payments: The number of orders that may be paid; null without a limit. An order
            of a limited link lives 15 minutes.
        :param title: The name of the sold thing, shown on the page and as the ``label`` of its
            orders.
        """
        answer: PaymentLink = self._call(UPDATE_PAYMENT_LINK, options, path={"id": id}, body={
            "description": description,
            "expiresAt": expires_at,
            "isActive": is_active,
            "maxPayments": max_payments,
            "title": title,
        })
        return answer

    def update_webhook_endpoint(
        self,
        id: str,
        *,
        description: Optional[str] = UNSET,
        event_types: Sequence[str] = UNSET,
        is_active: bool = UNSET,
        url: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint.

        Changes the given fields and leaves the others. While it is not active its events wait. The
        key needs the scope ``webhooks:write``.

        :param description: A note of your own, at most 255 characters; null for none.
        :param event_types: Event types: deposit.detected, deposit.confirming, deposit.confirmed,
            deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid,
            order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted,
            settlement.completed, settlement.failed, refund.requested, refund.ready, refund.completed,
            refund.canceled, webhook.test.
        :param is_active: Whether events are sent. While it is ``false`` they wait, at most 3 days.
        :param url: The http or https URL that receives the events, at most 2048 characters, without
            credentials.
        """
        answer: WebhookEndpoint = self._call(UPDATE_WEBHOOK_ENDPOINT, options, path={"id": id}, body={
            "description": description,
            "eventTypes": event_types,
            "isActive": is_active,
            "url": url,
        })
        return answer


class AsyncOperations:
    """Every operation of the contract, in a client for asyncio."""

    async def _call(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    async def _page(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> Any:
        raise NotImplementedError

    async def _file(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> File:
        raise NotImplementedError

    def _rows(self, operation: Operation[Any], options: Optional[CallOptions], **parts: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def _once(self, options: Optional[CallOptions], body: Mapping[str, Any]) -> OnceMade:
        raise NotImplementedError

    async def accept_deposit_address(
        self,
        id: str,
        *,
        reason: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Accept the received amount of an order as full payment."""
        answer: DepositAddress = await self._call(ACCEPT_DEPOSIT_ADDRESS, options, path={"id": id}, body={
            "reason": reason,
        })
        return answer

    async def archive_deposit_address(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Archive a deposit address that is no longer needed."""
        answer: DepositAddress = await self._call(ARCHIVE_DEPOSIT_ADDRESS, options, path={"id": id})
        return answer

    async def ask_for_refund(
        self,
        id: str,
        *,
        refund_ref: str,
        address: Optional[str] = UNSET,
        amount: Optional[Money] = UNSET,
        confirm_email: Optional[bool] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        fiat_amount: Optional[Money] = UNSET,
        reason: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Promise money back to the payer."""
        answer: Refund = await self._call(ASK_FOR_REFUND, options, path={"id": id}, body={
            "address": address,
            "amount": amount,
            "confirmEmail": confirm_email,
            "currency": currency,
            "fiatAmount": fiat_amount,
            "reason": reason,
            "refundRef": refund_ref,
        })
        return answer

    async def ask_for_refund_address_again(
        self,
        id: str,
        *,
        confirm_email: Optional[bool] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Ask the payer for an address again."""
        answer: Refund = await self._call(ASK_FOR_REFUND_ADDRESS_AGAIN, options, path={"id": id}, body={
            "confirmEmail": confirm_email,
        })
        return answer

    async def ask_for_rest(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Ask for the rest of an order that is short."""
        answer: DepositAddress = await self._call(ASK_FOR_REST, options, path={"id": id})
        return answer

    async def cancel_refund(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Cancel a refund that is not on the chain."""
        answer: Refund = await self._call(CANCEL_REFUND, options, path={"id": id})
        return answer

    async def claim_refund(
        self,
        token: str,
        *,
        address: str,
        options: Optional[CallOptions] = None,
    ) -> RefundClaim:
        """Name the address that gets a refund."""
        answer: RefundClaim = await self._call(CLAIM_REFUND, options, path={"token": token}, body={
            "address": address,
        })
        return answer

    async def connect_shop(
        self,
        *,
        code: str,
        site: str,
        webhook_url: str,
        options: Optional[CallOptions] = None,
    ) -> ShopConnection:
        """Connect a shop by its code."""
        answer: ShopConnection = await self._call(CONNECT_SHOP, options, body={
            "code": code,
            "site": site,
            "webhookUrl": webhook_url,
        })
        return answer

    async def create_deposit_address(
        self,
        *,
        amount: Optional[Money] = UNSET,
        api_key_id: str = UNSET,
        cancel_url: Optional[str] = UNSET,
        chain: Optional[Literal["tron"]] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        customer_email: Optional[str] = UNSET,
        customer_ref: Optional[str] = UNSET,
        label: Optional[str] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        order_ref: Optional[str] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        reusable: Optional[bool] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> CreatedDepositAddress:
        """Create an order, an open address or a receive address."""
        answer: CreatedDepositAddress = await self._call(CREATE_DEPOSIT_ADDRESS, options, body={
            "amount": amount,
            "apiKeyId": api_key_id,
            "cancelUrl": cancel_url,
            "chain": chain,
            "currency": currency,
            "customerEmail": customer_email,
            "customerRef": customer_ref,
            "label": label,
            "metadata": metadata,
            "orderRef": order_ref,
            "pricingCurrency": pricing_currency,
            "reusable": reusable,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
        })
        return answer

    async def create_order_once(
        self,
        *,
        amount: Money,
        order_ref: str,
        cancel_url: Optional[str] = UNSET,
        chain: Optional[Literal["tron"]] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        customer_email: Optional[str] = UNSET,
        label: Optional[str] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> OnceMade:
        """The order of this ``order_ref``: found, or made if there is none.

        One call after another finds the same order, and so do parallel calls of one client. Two
        processes in parallel may make two: the service has no idempotency key. Keep the order's id
        under a unique key of your own.

        :raises DaricError: ORDER_REF_CONFLICT if that order has another amount or currency. After
            an error with ``is_outcome_unknown`` wait 15 s, or ``retry_after`` if that is longer, and
            call again.
        """
        return await self._once(options, {
            "amount": amount,
            "cancelUrl": cancel_url,
            "chain": chain,
            "currency": currency,
            "customerEmail": customer_email,
            "label": label,
            "metadata": metadata,
            "orderRef": order_ref,
            "pricingCurrency": pricing_currency,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
        })

    async def create_link_order(
        self,
        token: str,
        *,
        amount: Optional[Money] = UNSET,
        attempt: Optional[str] = UNSET,
        email: Optional[str] = UNSET,
        name: Optional[str] = UNSET,
        note: Optional[str] = UNSET,
        ref: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> LinkOrder:
        """Create an order by a payment link."""
        answer: LinkOrder = await self._call(CREATE_LINK_ORDER, options, path={"token": token}, body={
            "amount": amount,
            "attempt": attempt,
            "email": email,
            "name": name,
            "note": note,
            "ref": ref,
        })
        return answer

    async def create_payment_link(
        self,
        *,
        title: str,
        amount: Optional[Money] = UNSET,
        ask: Optional[Sequence[Literal["name", "note", "email"]]] = UNSET,
        cancel_url: Optional[str] = UNSET,
        currency: Optional[Literal["USDT", "TRX"]] = UNSET,
        description: Optional[str] = UNSET,
        expires_at: Optional[datetime] = UNSET,
        max_amount: Optional[Money] = UNSET,
        max_payments: Optional[int] = UNSET,
        metadata: Optional[Mapping[str, str]] = UNSET,
        min_amount: Optional[Money] = UNSET,
        order_ref_prefix: Optional[str] = UNSET,
        pricing_currency: Optional[Literal["USD", "ARS", "AUD", "BRL", "CAD", "CHF", "EGP", "EUR", "GBP", "INR", "JPY", "KRW", "LBP", "MXN", "NGN", "PLN", "TRY", "USDT"]] = UNSET,
        settlement_account_id: Optional[str] = UNSET,
        success_url: Optional[str] = UNSET,
        suggested_amounts: Optional[Sequence[Money]] = UNSET,
        thanks: Optional[str] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Create a payment link."""
        answer: PaymentLink = await self._call(CREATE_PAYMENT_LINK, options, body={
            "amount": amount,
            "ask": ask,
            "cancelUrl": cancel_url,
            "currency": currency,
            "description": description,
            "expiresAt": expires_at,
            "maxAmount": max_amount,
            "maxPayments": max_payments,
            "metadata": metadata,
            "minAmount": min_amount,
            "orderRefPrefix": order_ref_prefix,
            "pricingCurrency": pricing_currency,
            "settlementAccountId": settlement_account_id,
            "successUrl": success_url,
            "suggestedAmounts": suggested_amounts,
            "thanks": thanks,
            "title": title,
        })
        return answer

    async def create_webhook_endpoint(
        self,
        *,
        url: str,
        description: Optional[str] = UNSET,
        event_types: Optional[Sequence[str]] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> CreatedWebhookEndpoint:
        """Create a webhook endpoint."""
        answer: CreatedWebhookEndpoint = await self._call(CREATE_WEBHOOK_ENDPOINT, options, body={
            "description": description,
            "eventTypes": event_types,
            "url": url,
        })
        return answer

    async def delete_webhook_endpoint(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DeleteWebhookEndpointAnswer:
        """Delete a webhook endpoint."""
        answer: DeleteWebhookEndpointAnswer = await self._call(DELETE_WEBHOOK_ENDPOINT, options, path={"id": id})
        return answer

    async def download_receipt(
        self,
        id: str,
        *,
        language: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the receipt of a payment as PDF."""
        answer: File = await self._file(DOWNLOAD_RECEIPT, options, path={"id": id}, query={
            "language": language,
        })
        return answer

    async def download_statement(
        self,
        *,
        month: str,
        format: Literal["csv", "xlsx", "pdf"],
        language: str = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the statement of a month."""
        answer: File = await self._file(DOWNLOAD_STATEMENT, options, query={
            "month": month,
            "format": format,
            "language": language,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
        })
        return answer

    async def export_fees(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download fees as a file."""
        answer: File = await self._file(EXPORT_FEES, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
        })
        return answer

    async def export_journal(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download the journal as a file."""
        answer: File = await self._file(EXPORT_JOURNAL, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
        })
        return answer

    async def export_payments(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        payment: Literal["paid", "short"] = UNSET,
        reference: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download payments as a file."""
        answer: File = await self._file(EXPORT_PAYMENTS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "kind": kind,
            "status": status,
            "payment": payment,
            "reference": reference,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
        })
        return answer

    async def export_refunds(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download refunds as a file."""
        answer: File = await self._file(EXPORT_REFUNDS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "status": status,
            "depositAddressId": deposit_address_id,
        })
        return answer

    async def export_settlements(
        self,
        *,
        format: Literal["csv", "xlsx", "json"] = UNSET,
        bom: Literal["0", "1"] = UNSET,
        separator: Literal[",", ";", "tab"] = UNSET,
        decimal: Literal[".", ","] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Download settlements as a file."""
        answer: File = await self._file(EXPORT_SETTLEMENTS, options, query={
            "format": format,
            "bom": bom,
            "separator": separator,
            "decimal": decimal,
            "from": from_,
            "to": to,
            "status": status,
            "currency": currency,
        })
        return answer

    async def extend_deposit_address(
        self,
        id: str,
        *,
        seconds: int,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Give an order or an open address more time."""
        answer: DepositAddress = await self._call(EXTEND_DEPOSIT_ADDRESS, options, path={"id": id}, body={
            "seconds": seconds,
        })
        return answer

    async def list_balances(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> List[Balance]:
        """See what you are owed and where it is."""
        answer: List[Balance] = await self._call(LIST_BALANCES, options)
        return answer

    async def list_currencies(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> List[PricingCurrency]:
        """List the currencies of prices."""
        answer: List[PricingCurrency] = await self._call(LIST_CURRENCIES, options)
        return answer

    async def list_deposit_addresses(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        chain: Literal["tron"] = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        order_ref: str = UNSET,
        customer_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        payment_status: Literal["paid", "confirming", "detected", "awaiting", "expired"] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[DepositAddress]:
        """List deposit addresses."""
        answer: Page[DepositAddress] = await self._page(LIST_DEPOSIT_ADDRESSES, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "chain": chain,
            "kind": kind,
            "orderRef": order_ref,
            "customerRef": customer_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "paymentStatus": payment_status,
            "from": from_,
            "to": to,
        })
        return answer

    def all_deposit_addresses(
        self,
        *,
        limit: int = UNSET,
        status: Literal["ACTIVE", "EXPIRED", "ARCHIVED"] = UNSET,
        chain: Literal["tron"] = UNSET,
        kind: Literal["order", "receive", "open"] = UNSET,
        order_ref: str = UNSET,
        customer_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        payment_status: Literal["paid", "confirming", "detected", "awaiting", "expired"] = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[DepositAddress]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_DEPOSIT_ADDRESSES, options, query={
            "limit": limit,
            "status": status,
            "chain": chain,
            "kind": kind,
            "orderRef": order_ref,
            "customerRef": customer_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "paymentStatus": payment_status,
            "from": from_,
            "to": to,
        })

    async def list_deposits(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        deposit_address_id: str = UNSET,
        order_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        tx_hash: str = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Deposit]:
        """List deposits."""
        answer: Page[Deposit] = await self._page(LIST_DEPOSITS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "currency": currency,
            "depositAddressId": deposit_address_id,
            "orderRef": order_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "txHash": tx_hash,
            "from": from_,
            "to": to,
        })
        return answer

    def all_deposits(
        self,
        *,
        limit: int = UNSET,
        status: Literal["DETECTED", "CONFIRMING", "CONFIRMED", "STUCK", "REORG_PENDING", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        deposit_address_id: str = UNSET,
        order_ref: str = UNSET,
        payment_link_id: str = UNSET,
        payer_ref: str = UNSET,
        tx_hash: str = UNSET,
        from_: datetime = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[Deposit]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_DEPOSITS, options, query={
            "limit": limit,
            "status": status,
            "currency": currency,
            "depositAddressId": deposit_address_id,
            "orderRef": order_ref,
            "paymentLinkId": payment_link_id,
            "payerRef": payer_ref,
            "txHash": tx_hash,
            "from": from_,
            "to": to,
        })

    async def list_events(
        self,
        *,
        limit: int = UNSET,
        after: str = UNSET,
        types: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Feed[EventRow]:
        """List events, oldest first."""
        answer: Feed[EventRow] = await self._page(LIST_EVENTS, options, query={
            "limit": limit,
            "after": after,
            "types": types,
        })
        return answer

    async def list_payment_links(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["active", "disabled", "sold_out", "expired"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[PaymentLink]:
        """List payment links."""
        answer: Page[PaymentLink] = await self._page(LIST_PAYMENT_LINKS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
        })
        return answer

    def all_payment_links(
        self,
        *,
        limit: int = UNSET,
        status: Literal["active", "disabled", "sold_out", "expired"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[PaymentLink]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_PAYMENT_LINKS, options, query={
            "limit": limit,
            "status": status,
        })

    async def list_refunds(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Refund]:
        """List refunds."""
        answer: Page[Refund] = await self._page(LIST_REFUNDS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "depositAddressId": deposit_address_id,
        })
        return answer

    def all_refunds(
        self,
        *,
        limit: int = UNSET,
        status: Literal["REQUESTED", "READY", "SENT", "CANCELED", "COMPLETED"] = UNSET,
        deposit_address_id: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[Refund]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_REFUNDS, options, query={
            "limit": limit,
            "status": status,
            "depositAddressId": deposit_address_id,
        })

    async def list_settlement_accounts(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[SettlementAccount]:
        """List your settlement accounts."""
        answer: Page[SettlementAccount] = await self._page(LIST_SETTLEMENT_ACCOUNTS, options, query={
            "page": page,
            "limit": limit,
        })
        return answer

    async def list_settlements(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[Settlement]:
        """List settlements."""
        answer: Page[Settlement] = await self._page(LIST_SETTLEMENTS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "currency": currency,
        })
        return answer

    def all_settlements(
        self,
        *,
        limit: int = UNSET,
        status: Literal["OPEN", "COMPLETED", "FAILED"] = UNSET,
        currency: Literal["USDT", "TRX"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[Settlement]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_SETTLEMENTS, options, query={
            "limit": limit,
            "status": status,
            "currency": currency,
        })

    async def list_webhook_deliveries(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] = UNSET,
        reference_id: str = UNSET,
        endpoint_id: str = UNSET,
        order_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[WebhookDelivery]:
        """List webhook deliveries."""
        answer: Page[WebhookDelivery] = await self._page(LIST_WEBHOOK_DELIVERIES, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
            "referenceId": reference_id,
            "endpointId": endpoint_id,
            "orderRef": order_ref,
        })
        return answer

    def all_webhook_deliveries(
        self,
        *,
        limit: int = UNSET,
        status: Literal["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] = UNSET,
        reference_id: str = UNSET,
        endpoint_id: str = UNSET,
        order_ref: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[WebhookDelivery]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_WEBHOOK_DELIVERIES, options, query={
            "limit": limit,
            "status": status,
            "referenceId": reference_id,
            "endpointId": endpoint_id,
            "orderRef": order_ref,
        })

    async def list_webhook_endpoints(
        self,
        *,
        page: int = UNSET,
        limit: int = UNSET,
        after: str = UNSET,
        status: Literal["active", "disabled"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[WebhookEndpoint]:
        """List webhook endpoints."""
        answer: Page[WebhookEndpoint] = await self._page(LIST_WEBHOOK_ENDPOINTS, options, query={
            "page": page,
            "limit": limit,
            "after": after,
            "status": status,
        })
        return answer

    def all_webhook_endpoints(
        self,
        *,
        limit: int = UNSET,
        status: Literal["active", "disabled"] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[WebhookEndpoint]:
        """Every row, newest first, read page by page: ``async for row in …``."""
        return self._rows(LIST_WEBHOOK_ENDPOINTS, options, query={
            "limit": limit,
            "status": status,
        })

    async def look_up_checkout_transaction(
        self,
        token: str,
        *,
        tx_hash: str,
        options: Optional[CallOptions] = None,
    ) -> CheckoutLookup:
        """Look up a payer's transaction."""
        answer: CheckoutLookup = await self._call(LOOK_UP_CHECKOUT_TRANSACTION, options, path={"token": token}, body={
            "txHash": tx_hash,
        })
        return answer

    async def look_up_transaction(
        self,
        *,
        tx_hash: str,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Page[LookupRow]:
        """Look up the deposits of a transaction."""
        answer: Page[LookupRow] = await self._page(LOOK_UP_TRANSACTION, options, query={
            "page": page,
            "limit": limit,
            "txHash": tx_hash,
        })
        return answer

    async def recover_webhook_endpoint(
        self,
        id: str,
        *,
        from_: datetime,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> SentAgain:
        """Send an endpoint what it missed."""
        answer: SentAgain = await self._call(RECOVER_WEBHOOK_ENDPOINT, options, path={"id": id}, body={
            "from": from_,
            "to": to,
        })
        return answer

    async def requote_checkout(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Checkout:
        """Lock a fresh rate for an order priced in fiat."""
        answer: Checkout = await self._call(REQUOTE_CHECKOUT, options, path={"token": token})
        return answer

    async def resend_webhook_deliveries(
        self,
        *,
        endpoint_id: str = UNSET,
        event_types: Sequence[str] = UNSET,
        from_: datetime = UNSET,
        reference_id: str = UNSET,
        status: Literal["FAILED", "DELIVERED", "EXHAUSTED"] = UNSET,
        to: datetime = UNSET,
        options: Optional[CallOptions] = None,
    ) -> SentAgain:
        """Send many deliveries once more."""
        answer: SentAgain = await self._call(RESEND_WEBHOOK_DELIVERIES, options, body={
            "endpointId": endpoint_id,
            "eventTypes": event_types,
            "from": from_,
            "referenceId": reference_id,
            "status": status,
            "to": to,
        })
        return answer

    async def resend_webhook_delivery(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookDelivery:
        """Send a delivery once more."""
        answer: WebhookDelivery = await self._call(RESEND_WEBHOOK_DELIVERY, options, path={"id": id})
        return answer

    async def retrieve_account(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> Account:
        """See whose key this is."""
        answer: Account = await self._call(RETRIEVE_ACCOUNT, options)
        return answer

    async def retrieve_checkout(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Checkout:
        """Retrieve what a payer may see."""
        answer: Checkout = await self._call(RETRIEVE_CHECKOUT, options, path={"token": token})
        return answer

    async def retrieve_deposit(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Deposit:
        """Retrieve a deposit."""
        answer: Deposit = await self._call(RETRIEVE_DEPOSIT, options, path={"id": id})
        return answer

    async def retrieve_deposit_address(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DepositAddress:
        """Retrieve a deposit address."""
        answer: DepositAddress = await self._call(RETRIEVE_DEPOSIT_ADDRESS, options, path={"id": id})
        return answer

    async def retrieve_event(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> EventRow:
        """Retrieve an event."""
        answer: EventRow = await self._call(RETRIEVE_EVENT, options, path={"id": id})
        return answer

    async def retrieve_payment_link(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Retrieve a payment link."""
        answer: PaymentLink = await self._call(RETRIEVE_PAYMENT_LINK, options, path={"id": id})
        return answer

    async def retrieve_refund(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Refund:
        """Retrieve a refund."""
        answer: Refund = await self._call(RETRIEVE_REFUND, options, path={"id": id})
        return answer

    async def retrieve_refund_claim(
        self,
        token: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> RefundClaim:
        """Retrieve a refund as its payer sees it."""
        answer: RefundClaim = await self._call(RETRIEVE_REFUND_CLAIM, options, path={"token": token})
        return answer

    async def retrieve_settlement(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> SettlementDetail:
        """Retrieve a settlement."""
        answer: SettlementDetail = await self._call(RETRIEVE_SETTLEMENT, options, path={"id": id})
        return answer

    async def retrieve_statement(
        self,
        *,
        month: str,
        page: int = UNSET,
        limit: int = UNSET,
        options: Optional[CallOptions] = None,
    ) -> Statement:
        """Retrieve the statement of a month."""
        answer: Statement = await self._call(RETRIEVE_STATEMENT, options, query={
            "page": page,
            "limit": limit,
            "month": month,
        })
        return answer

    async def retrieve_webhook_delivery(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookDeliveryDetail:
        """Retrieve a webhook delivery."""
        answer: WebhookDeliveryDetail = await self._call(RETRIEVE_WEBHOOK_DELIVERY, options, path={"id": id})
        return answer

    async def retrieve_webhook_endpoint(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpoint:
        """Retrieve a webhook endpoint."""
        answer: WebhookEndpoint = await self._call(RETRIEVE_WEBHOOK_ENDPOINT, options, path={"id": id})
        return answer

    async def retrieve_webhook_endpoint_health(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpointHealth:
        """Retrieve the health of a webhook endpoint."""
        answer: WebhookEndpointHealth = await self._call(RETRIEVE_WEBHOOK_ENDPOINT_HEALTH, options, path={"id": id})
        return answer

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        overlap_seconds: Optional[int] = UNSET,
        options: Optional[CallOptions] = None,
    ) -> RotatedWebhookEndpoint:
        """Give a webhook endpoint a new secret."""
        answer: RotatedWebhookEndpoint = await self._call(ROTATE_WEBHOOK_SECRET, options, path={"id": id}, body={
            "overlapSeconds": overlap_seconds,
        })
        return answer

    async def send_test_event(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> WebhookTestResult:
        """Send a test event and wait for the answer."""
        answer: WebhookTestResult = await self._call(SEND_TEST_EVENT, options, path={"id": id})
        return answer

    async def simulate_checkout_payment(
        self,
        token: str,
        *,
        case: Literal["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedPayment:
        """Play a test case: have the devnet pay a checkout."""
        answer: SimulatedPayment = await self._call(SIMULATE_CHECKOUT_PAYMENT, options, path={"token": token}, body={
            "case": case,
        })
        return answer

    async def simulate_payment(
        self,
        id: str,
        *,
        case: Literal["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedPayment:
        """Play a test case: have the devnet pay a deposit address."""
        answer: SimulatedPayment = await self._call(SIMULATE_PAYMENT, options, path={"id": id}, body={
            "case": case,
        })
        return answer

    async def simulate_refund(
        self,
        id: str,
        *,
        case: Literal["claim", "pay", "short"],
        options: Optional[CallOptions] = None,
    ) -> SimulatedRefund:
        """Play a test case of a refund: its payer, or its payment."""
        answer: SimulatedRefund = await self._call(SIMULATE_REFUND, options, path={"id": id}, body={
            "case": case,
        })
        return answer

    async def update_payment_link(
        self,
        id: str,
        *,
        description: Optional[str] = UNSET,
        expires_at: Optional[datetime] = UNSET,
        is_active: bool = UNSET,
        max_payments: Optional[int] = UNSET,
        title: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> PaymentLink:
        """Change or pause a payment link."""
        answer: PaymentLink = await self._call(UPDATE_PAYMENT_LINK, options, path={"id": id}, body={
            "description": description,
            "expiresAt": expires_at,
            "isActive": is_active,
            "maxPayments": max_payments,
            "title": title,
        })
        return answer

    async def update_webhook_endpoint(
        self,
        id: str,
        *,
        description: Optional[str] = UNSET,
        event_types: Sequence[str] = UNSET,
        is_active: bool = UNSET,
        url: str = UNSET,
        options: Optional[CallOptions] = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint."""
        answer: WebhookEndpoint = await self._call(UPDATE_WEBHOOK_ENDPOINT, options, path={"id": id}, body={
            "description": description,
            "eventTypes": event_types,
            "isActive": is_active,
            "url": url,
        })
        return answer
