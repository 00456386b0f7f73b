<?php

// Written from clients/typescript/openapi.json by `npm run generate`.

declare(strict_types=1);

namespace Daric;

/**
 * Every operation of the contract. Bodies, queries and answers are arrays as on the wire: requests in camelCase, answers in
 * snake_case, money as decimal strings, times as ISO 8601 with an offset.
 *
 * Every method takes options at its end: `timeoutSeconds` of each try, and `correlationId`. It fails with a DaricException,
 * and with an InvalidArgumentException before anything is sent, for a float or an id that would name another resource.
 *
 * @phpstan-type Account array{currencies: list<'USDT'|'TRX'>, environment: 'live'|'test', feeMode: 'merchant'|'client', merchantId: string, name: string, network: string, scopes: list<'charges:read'|'charges:write'|'deposits:read'|'webhooks:read'|'webhooks:write'|'settlements:read'|'refunds:read'|'refunds:write'|'refunds:address'>}
 * @phpstan-type Balance array{confirmed: numeric-string, currency: 'USDT'|'TRX', fees: numeric-string, in_flight: numeric-string, settled: numeric-string, waiting: numeric-string, waiting_for: list<BalanceWaitingFor>}
 * @phpstan-type BalanceWaitingFor array{amount: numeric-string, reason: 'no_settlement_account'|'not_planned'|'in_preparation'|'price'|'frozen'|'network_cost'}
 * @phpstan-type Checkout array{merchant: CheckoutMerchant, order: CheckoutOrder, payment: CheckoutPayment, state: 'awaiting'|'confirming'|'paid'|'underpaid'|'overpaid'|'expired'|'error', status: CheckoutStatus}
 * @phpstan-type CheckoutLookup array{addressEnd: string|null, amount: numeric-string|null, confirmations: int|null, currency: 'USDT'|'TRX'|null, requiredConfirmations: int|null, result: 'counted'|'seen'|'failed'|'other_address'|'other_token'|'not_on_tron'|'not_found'|'busy', retryAfterSeconds: int|null}
 * @phpstan-type CheckoutMerchant array{accentColor: string, logoUrl: string|null, name: string}
 * @phpstan-type CheckoutOrder array{amount: numeric-string|null, cancelUrl: string|null, currency: 'USDT'|'TRX', feeMode: 'merchant'|'client', fiatAmount: numeric-string|null, fiatCurrency: string|null, payAmount: numeric-string|null, quoteExpiresAt: string|null, quoteRate: numeric-string|null, ref: string|null, successUrl: string|null}
 * @phpstan-type CheckoutPayment array{address: string, chain: 'tron', expiresAt: string|null}
 * @phpstan-type CheckoutStatus array{amountReceived: numeric-string, confirmations: int, confirmedAt: string|null, depositStatus: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED'|null, paymentState: 'none'|'under'|'exact'|'over', requiredConfirmations: int, txHash: string|null}
 * @phpstan-type CreatedDepositAddress array{address: string, amount_due: numeric-string|null, cancel_url: string|null, chain: 'tron', checkout_token: string, checkout_url: string|null, currency: 'USDT'|'TRX', customer_ref: string|null, expected_amount: numeric-string|null, expires_at: string|null, fee_mode: 'merchant'|'client', fiat_amount: numeric-string|null, fiat_currency: string|null, id: string, metadata: array<string, string>|null, order_ref: string|null, pay_amount: numeric-string|null, quote_expires_at: string|null, quote_rate: numeric-string|null, quote_source: string|null, status: 'ACTIVE'|'EXPIRED'|'ARCHIVED', success_url: string|null}
 * @phpstan-type CreatedWebhookEndpoint array{created_at: string, description: string|null, event_types: list<'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test'>, id: string, is_active: bool, secret: string, status: 'active'|'disabled', updated_at: string, url: string}
 * @phpstan-type DeleteWebhookEndpointAnswer array{deleted: true, id: string}
 * @phpstan-type Deposit array{address: string, amount: numeric-string, block_hash: string, block_number: int, block_time: string, book_amount: numeric-string|null, book_currency: 'USD'|'ARS'|'AUD'|'BRL'|'CAD'|'CHF'|'EGP'|'EUR'|'GBP'|'INR'|'JPY'|'KRW'|'LBP'|'MXN'|'NGN'|'PLN'|'TRY'|null, book_rate: string|null, book_rate_at: string|null, book_rate_sources: string|null, chain: 'tron', confirmations: int, confirmed_at: string|null, created_at: string, currency: 'USDT'|'TRX', deposit_address_id: string, detected_at: string, event_index: int, failed_at: string|null, failure_reason: string|null, from_address: string|null, id: string, late: bool, order_ref: string|null, required_confirmations: int, source: 'transfer'|'log'|'internal', status: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED', stuck_reason: 'solidity'|'quorum'|'balance'|null, tx_hash: string, unmatched: bool, updated_at: string}
 * @phpstan-type DepositAddress array{accept_reason: string|null, accepted_at: string|null, address: string, amount_due: numeric-string|null, amount_pending: numeric-string, amount_received: numeric-string, cancel_url: string|null, chain: 'tron', checkout_token: string, checkout_url: string|null, created_at: string, currency: 'USDT'|'TRX', customer_email: string|null, customer_email_later: string|null, customer_email_source: 'api'|'link'|'page'|null, customer_ref: string|null, expected_amount: numeric-string|null, expires_at: string|null, fee_mode: 'merchant'|'client', fiat_amount: numeric-string|null, fiat_currency: string|null, id: string, kind: 'order'|'receive'|'open', label: string|null, metadata: array<string, string>|null, order_ref: string|null, paid_late: bool, pay_amount: numeric-string|null, payer: DepositAddressPayer|null, payer_ref: string|null, payment_link_id: string|null, payment_state: 'none'|'under'|'exact'|'over', payment_status?: 'paid'|'confirming'|'detected'|'awaiting'|'expired', quote_expires_at: string|null, quote_rate: numeric-string|null, quote_source: string|null, refunded_amount: numeric-string, rest_of: string|null, settlement_account_id: string|null, status: 'ACTIVE'|'EXPIRED'|'ARCHIVED', success_url: string|null, updated_at: string}
 * @phpstan-type DepositAddressPayer array{name: string|null, note: string|null}
 * @phpstan-type DepositEvent array{apiVersion: 'v1', createdAt: string, data: DepositEventData, environment: 'live'|'test', event: 'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed', id: string, sequence: int}
 * @phpstan-type DepositEventData array{address: string, amount: numeric-string, amountReceived: numeric-string, blockHash: string, blockNumber: int, chain: 'tron', confirmations: int, confirmedAt: string|null, currency: 'USDT'|'TRX', depositAddressId: string, depositId: string, detectedAt: string, difference: numeric-string|null, eventIndex: int, feeMode: 'merchant'|'client', fiatAmount: numeric-string|null, fiatCurrency: string|null, label: string|null, late: bool, metadata: array<string, string>|null, orderAmount: numeric-string|null, orderRef: string|null, payAmount: numeric-string|null, payerRef?: string|null, paymentLinkId?: string|null, paymentState: 'none'|'under'|'exact'|'over', previousStatus: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED'|null, quoteRate: numeric-string|null, requiredConfirmations: int, status: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED', txHash: string, unmatched: bool}
 * @phpstan-type EventRow array{apiVersion: 'v1', createdAt: string, data: array<string, mixed>|null, environment: 'live'|'test', event: 'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test', id: string, sequence: int}
 * @phpstan-type LinkOrder array{checkout_url: string|null, order_ref: string|null}
 * @phpstan-type LookupRow array{deposit: Deposit, deposit_address: PaidDepositAddress, kind: 'deposit'}
 * @phpstan-type OrderEvent array{apiVersion: 'v1', createdAt: string, data: OrderEventData, environment: 'live'|'test', event: 'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted', id: string, sequence: int}
 * @phpstan-type OrderEventData array{address: string, amountReceived: numeric-string, chain: 'tron', currency: 'USDT'|'TRX', depositAddressId: string, deposits: list<OrderEventDataDeposits>, difference: numeric-string|null, expiresAt: string|null, feeMode: 'merchant'|'client', fiatAmount: numeric-string|null, fiatCurrency: string|null, label: string|null, metadata: array<string, string>|null, orderAmount: numeric-string|null, orderRef: string|null, orderRefPaid?: bool, paidAt: string|null, paidLate: bool, payAmount: numeric-string|null, payerRef?: string|null, paymentLinkId?: string|null, paymentState: 'none'|'under'|'exact'|'over', quoteRate: numeric-string|null, restCompletes?: bool, restOf?: string|null}
 * @phpstan-type OrderEventDataDeposits array{amount: numeric-string, confirmedAt: string, depositId: string, txHash: string}
 * @phpstan-type PaidDepositAddress array{amount_due: numeric-string|null, amount_received: numeric-string, currency: 'USDT'|'TRX', customer_ref: string|null, expires_at: string|null, id: string, kind: 'order'|'receive'|'open', order_ref: string|null, payment_state: 'none'|'under'|'exact'|'over', payment_status: 'paid'|'confirming'|'detected'|'awaiting'|'expired'|null, rest_of: string|null, status: 'ACTIVE'|'EXPIRED'|'ARCHIVED'}
 * @phpstan-type PaymentLink array{amount: numeric-string|null, ask: list<'name'|'note'|'email'>, cancel_url: string|null, created_at: string, currency: 'USDT'|'TRX', description: string|null, expires_at: string|null, id: string, max_amount: numeric-string|null, max_payments: int|null, metadata: array<string, string>|null, min_amount: numeric-string|null, order_ref_prefix: string|null, orders_open: int, orders_paid: int, pricing_currency: string|null, settlement_account_id: string|null, status: 'active'|'disabled'|'sold_out'|'expired', success_url: string|null, suggested_amounts: list<numeric-string>, thanks: string|null, title: string, token: string, updated_at: string, url: string|null}
 * @phpstan-type PricingCurrency array{available: bool|null, code: string, decimals: int, resting: bool, sources: list<string>}
 * @phpstan-type Refund array{address: string|null, amount: numeric-string, canceled_at: string|null, claim_expires_at: string, claim_url: string|null, completed_at: string|null, currency: 'USDT'|'TRX', default_address: string|null, deposit_address_id: string, fiat_amount: numeric-string|null, id: string, needs_confirmation: 'address'|'paid_money'|'other_address'|'order_changed'|null, order_ref: string|null, paid_amount: numeric-string|null, pay_until: string|null, ready_at: string|null, reason: string|null, refund_ref: string|null, requested_at: string, sent_at: string|null, status: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', tx_hash: string|null}
 * @phpstan-type RefundClaim array{address: string|null, address_paid_order: bool|null, amount: numeric-string, claim_expires_at: string, currency: 'USDT'|'TRX', default_address: string|null, order_ref: string|null, paid_amount: numeric-string|null, shop: string, status: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', takes_address: bool, tx_hash: string|null, waits_for_shop: bool}
 * @phpstan-type RefundEvent array{apiVersion: 'v1', createdAt: string, data: RefundEventData, environment: 'live'|'test', event: 'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled', id: string, sequence: int}
 * @phpstan-type RefundEventData array{address: string|null, amount: numeric-string, canceledAt: string|null, chain: 'tron', completedAt: string|null, currency: 'USDT'|'TRX', depositAddressId: string, fiatAmount: numeric-string|null, metadata: array<string, string>|null, orderRef: string|null, readyAt: string|null, reason: string|null, refundId: string, requestedAt: string, sentAt: string|null, status: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', txHash: string|null}
 * @phpstan-type RotatedWebhookEndpoint array{created_at: string, description: string|null, event_types: list<'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test'>, id: string, is_active: bool, previous_secret_expires_at: string|null, secret: string, status: 'active'|'disabled', updated_at: string, url: string}
 * @phpstan-type SentAgain array{deliveries: int}
 * @phpstan-type Settlement array{address: string, amount: numeric-string, chain: 'tron', created_at: string, currency: 'USDT'|'TRX', ended_at: string|null, failure_reason: string|null, fees_paid: numeric-string, id: string, network_cost: numeric-string, settlement_account_id: string, status: 'OPEN'|'COMPLETED'|'FAILED', sweep_count: int}
 * @phpstan-type SettlementAccount array{address: string, chain: 'tron', created_at: string, id: string, is_default: bool, label: string|null, status: 'active'|'disabled', updated_at: string}
 * @phpstan-type SettlementDetail array{address: string, amount: numeric-string, chain: 'tron', created_at: string, currency: 'USDT'|'TRX', ended_at: string|null, failure_reason: string|null, fees_paid: numeric-string, id: string, network_cost: numeric-string, settlement_account_id: string, status: 'OPEN'|'COMPLETED'|'FAILED', sweep_count: int, sweeps: list<Sweep>}
 * @phpstan-type SettlementEvent array{apiVersion: 'v1', createdAt: string, data: SettlementEventData, environment: 'live'|'test', event: 'settlement.completed'|'settlement.failed', id: string, sequence: int}
 * @phpstan-type SettlementEventData array{address: string, amount: numeric-string, chain: 'tron', createdAt: string, currency: 'USDT'|'TRX', endedAt: string, failureReason: string|null, feesPaid: numeric-string, settlementAccountId: string, settlementId: string, sweepCount: int, transfers: list<SettlementEventDataTransfers>}
 * @phpstan-type SettlementEventDataTransfers array{amount: numeric-string, recipient: 'merchant'|'operator', txHash: string}
 * @phpstan-type ShopConnection array{apiKey: string, endpointId: string, merchantId: string, webhookSecret: string}
 * @phpstan-type SimulatedPayment array{address: string, case: 'exact'|'under'|'over'|'twice'|'late'|'wrong_coin'|'reorged', deposit_address_id: string, expected_events: list<'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test'>, forked_devnet: bool, next: string, payments: list<SimulatedPaymentPayments>}
 * @phpstan-type SimulatedPaymentPayments array{amount: string, currency: 'USDT'|'TRX', tx_hash: string}
 * @phpstan-type SimulatedRefund array{address: string|null, case: 'claim'|'pay'|'short', expected_events: list<'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test'>, next: string, payments: list<SimulatedRefundPayments>, refund_id: string, status: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED'}
 * @phpstan-type SimulatedRefundPayments array{amount: string, currency: 'USDT'|'TRX', tx_hash: string}
 * @phpstan-type Statement array{balances: list<StatementBalance>, entries: list<StatementEntry>, entry_count: int, from: string, is_closed: bool, month: string, time_zone: string, to: string}
 * @phpstan-type StatementBalance array{closing: numeric-string, confirmed: numeric-string, currency: 'USDT'|'TRX', fees: numeric-string, opening: numeric-string, settled: numeric-string}
 * @phpstan-type StatementEntry array{amount: numeric-string, booked_at: string, currency: 'USDT'|'TRX', deposit_address_id: string, deposit_id: string|null, kind: 'deposit'|'unmatched'|'fee'|'fixed_fee'|'fee_returned'|'sweep'|'outflow', order_ref: string|null, tx_hash: string|null}
 * @phpstan-type Sweep array{address: string, amount: numeric-string, deposit_address_id: string, destination: string, id: string, reason: string|null, recipient: 'merchant'|'operator', status: 'PLANNED'|'ACTIVATING'|'RESOURCED'|'SIGNED'|'SENT'|'SOLID'|'RECLAIMED'|'WAITING'|'RETRY'|'FROZEN'|'DROPPED', transactions: list<SweepTransaction>}
 * @phpstan-type SweepTransaction array{block_number: int|null, fee: numeric-string|null, outcome: 'landed'|'failed'|'expired'|'refused'|null, purpose: 'sweep'|'top_up'|'delegate'|'undelegate', tx_hash: string|null}
 * @phpstan-type TestEvent array{apiVersion: 'v1', createdAt: string, data: TestEventData, environment: 'live'|'test', event: 'webhook.test', id: string, sequence: int}
 * @phpstan-type TestEventData array{endpointId: string, message: string}
 * @phpstan-type WebhookAttempt array{attempted_at: string, duration_ms: int, error: 'dns_error'|'blocked_address'|'connect_refused'|'connect_timeout'|'connect_error'|'tls_error'|'timeout'|'reset'|'invalid_response'|'response_too_large'|'http_status'|'lease_expired'|'body_missing'|'event_refused'|'endpoint_deleted'|'parked_too_long'|'expired'|null, number: int, response_snippet: string|null, status_code: int|null, trigger: 'schedule'|'resend'|'test'}
 * @phpstan-type WebhookDelivery array{attempt_count: int, attempts: int, created_at: string, deposit_address_id: string|null, endpoint_id: string, endpoint_url: string|null, event_id: string, event_type: 'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test', id: string, last_error: 'dns_error'|'blocked_address'|'connect_refused'|'connect_timeout'|'connect_error'|'tls_error'|'timeout'|'reset'|'invalid_response'|'response_too_large'|'http_status'|'lease_expired'|'body_missing'|'event_refused'|'endpoint_deleted'|'parked_too_long'|'expired'|null, last_status_code: int|null, next_attempt_at: string|null, order_ref: string|null, reference_id: string|null, status: 'PENDING'|'SENDING'|'DELIVERED'|'FAILED'|'EXHAUSTED', updated_at: string}
 * @phpstan-type WebhookDeliveryDetail array{attempt_count: int, attempts: list<WebhookAttempt>, created_at: string, deposit_address_id: string|null, endpoint_id: string, endpoint_url: string|null, event_id: string, event_type: 'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test', id: string, last_error: 'dns_error'|'blocked_address'|'connect_refused'|'connect_timeout'|'connect_error'|'tls_error'|'timeout'|'reset'|'invalid_response'|'response_too_large'|'http_status'|'lease_expired'|'body_missing'|'event_refused'|'endpoint_deleted'|'parked_too_long'|'expired'|null, last_status_code: int|null, next_attempt_at: string|null, order_ref: string|null, reference_id: string|null, status: 'PENDING'|'SENDING'|'DELIVERED'|'FAILED'|'EXHAUSTED', updated_at: string}
 * @phpstan-type WebhookEndpoint array{created_at: string, description: string|null, event_types: list<'deposit.detected'|'deposit.confirming'|'deposit.confirmed'|'deposit.unmatched'|'deposit.stuck'|'deposit.reorged'|'deposit.failed'|'order.paid'|'order.underpaid'|'order.overpaid'|'order.expired'|'order.paid_late'|'order.accepted'|'settlement.completed'|'settlement.failed'|'refund.requested'|'refund.ready'|'refund.completed'|'refund.canceled'|'webhook.test'>, id: string, is_active: bool, status: 'active'|'disabled', updated_at: string, url: string}
 * @phpstan-type WebhookEndpointHealth array{attempts: int, failed_attempts: int, failing_since: string|null, is_suspended: bool, last_success_at: string|null, oldest_due_at: string|null, p95_ms: int|null, success_rate: float|null}
 * @phpstan-type WebhookTestResult array{durationMs: int, endpointStatus?: 'disabled', error?: string, ok: bool, statusCode?: int}
 */
trait Operations
{
    /**
     * Accept the received amount of an order as full payment.
     *
     * For an order short of its due: it is ARCHIVED, counts as paid from then on, and `order.accepted` is sent.
     * `payment_state` still compares the received amount with the due. The key needs the scope `charges:write`.
     *
     * - `reason`: The reason to accept the received money as the full price. Only the merchant can read it.
     *
     * @param array{reason?: string|null} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DepositAddress
     * @throws DaricException
     */
    public function acceptDepositAddress(string $id, array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses/{id}/accept', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Archive a deposit address that is no longer needed.
     *
     * Its status becomes ARCHIVED. Later payments to it are still recorded and announced. The key needs the scope
     * `charges:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DepositAddress
     * @throws DaricException
     */
    public function archiveDepositAddress(string $id, array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses/{id}/archive', ['path' => ['id' => $id]], $options);
    }

    /**
     * Promise money back to the payer.
     *
     * Send `claim_url` to the payer, who names an address there. An owner or admin pays from a wallet of the
     * merchant, and the service recognises the transfer. An order that is not paid is ARCHIVED first: later money to
     * it is late. Where the money paid the order, a person must confirm. The key needs the scope `refunds:write`.
     *
     * - `address`: Where the money goes, if the payer need not name it. It needs the scope `refunds:address`, and
     *   waits for an owner or admin.
     * - `amount`: Of the coin. Without it: what came too much, else all that is left.
     * - `confirmEmail`: `true` in a person's session: the order's `customer_email` is the payer's, although the
     *   payer's side typed it. The claim link is mailed there.
     * - `currency`: The coin that goes back; by default that of the order. Name another one that came.
     * - `fiatAmount`: A part of the order's price in fiat: the same part of the coins that paid it, never today's
     *   rate.
     * - `reason`: Shown to your people, and in events.
     * - `refundRef`: Your own reference: the same one on the same order answers the same refund.
     *
     * @param array{address?: string|null, amount?: numeric-string|null, confirmEmail?: bool|null, currency?: 'USDT'|'TRX'|null, fiatAmount?: numeric-string|null, reason?: string|null, refundRef: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Refund
     * @throws DaricException
     */
    public function askForRefund(string $id, array $body, array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses/{id}/refunds', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Ask the payer for an address again.
     *
     * Makes a new `claim_url`, and the old one is dead. A refund that was READY waits for the new address; do not
     * pay the old one. The key needs the scope `refunds:write`.
     *
     * - `confirmEmail`: `true` in a person's session: the order's `customer_email` is the payer's, although the
     *   payer's side typed it. The claim link is mailed there.
     *
     * @param array{confirmEmail?: bool|null} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Refund
     * @throws DaricException
     */
    public function askForRefundAddressAgain(string $id, array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/refunds/{id}/ask-again', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Ask for the rest of an order that is short.
     *
     * Makes an order of what is missing, with the same `order_ref`: send the customer to its `checkout_url`. The
     * short order is ARCHIVED, and later money to it is late. When the rest is paid, its `order.paid` has
     * `restCompletes: true`, and the short order is accepted. While a rest is open and asks for what is missing, the
     * answer is that same row. The `id` of a rest stands for its first order. The key needs the scope
     * `charges:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DepositAddress
     * @throws DaricException
     */
    public function askForRest(string $id, array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses/{id}/rest', ['path' => ['id' => $id]], $options);
    }

    /**
     * Cancel a refund that is not on the chain.
     *
     * One that was READY is watched for 30 days more: a transfer that fits completes it all the same. A second time
     * it answers the same. The key needs the scope `refunds:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Refund
     * @throws DaricException
     */
    public function cancelRefund(string $id, array $options = []): array
    {
        return $this->call('POST /v1/refunds/{id}/cancel', ['path' => ['id' => $id]], $options);
    }

    /**
     * Name the address that gets a refund.
     *
     * No key: the token is the capability. A link takes one address, once; the same one again answers the same. Ten
     * refused addresses close the link. At most six requests a minute for a link.
     *
     * - `address`: The payer's own TRON address, which is to get the money. The link takes one, once.
     *
     * @param array{address: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return RefundClaim
     * @throws DaricException
     */
    public function claimRefund(string $token, array $body, array $options = []): array
    {
        return $this->call('POST /v1/refund-claims/{token}', ['path' => ['token' => $token], 'body' => $body], $options);
    }

    /**
     * Connect a shop by its code.
     *
     * No key: the code of *Connect a shop* in the dashboard is the capability. It works once, within ten minutes.
     * The shop gets a key and a webhook endpoint, and a few seconds later a `webhook.test`. A refused request makes
     * nothing, and the code stays.
     *
     * - `code`: The code that the dashboard shows. Small letters, blanks and missing hyphens do no harm.
     * - `site`: The address of the shop, at most 120 characters. Its key has this name, and its endpoint this
     *   description.
     * - `webhookUrl`: The http or https URL of the shop that receives the events, at most 2048 characters.
     *
     * @param array{code: string, site: string, webhookUrl: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return ShopConnection
     * @throws DaricException
     */
    public function connectShop(array $body, array $options = []): array
    {
        return $this->call('POST /v1/shop-connections', ['body' => $body], $options);
    }

    /**
     * Create an order, an open address or a receive address.
     *
     * With `amount` an order, with `reusable` a standing receive address, else an open address for any amount. There
     * is no idempotency key: look for your `orderRef` in the list before you send it again. The key needs the scope
     * `charges:write`.
     *
     * - `amount`: The price of the order: units of `currency`, or of `pricingCurrency` with no more decimals than it
     *   has. Leave it out for an open or a receive address.
     * - `apiKeyId`: Ignored: the key of the request counts.
     * - `cancelUrl`: The page that the payer goes to after giving up or too late (http or https, at most 2048
     *   characters); null for none.
     * - `chain`: The chain of the address: always `tron`.
     * - `currency`: The currency that the payer sends. Every amount of the row is in it.
     * - `customerEmail`: The payer's e-mail address, for the receipt and what the payer has to know. The first
     *   address of an order counts. It is encrypted, kept 90 days after the last change of the order, and never in
     *   webhooks.
     * - `customerRef`: With `reusable`: your own reference of the customer. Each customer has one standing address,
     *   found or created.
     * - `label`: A note of your own, at most 120 characters. The payer never sees it.
     * - `metadata`: Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values
     *   have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8.
     * - `orderRef`: Your own reference of the order, at most 120 characters. The payer sees it. It need not be
     *   unique.
     * - `pricingCurrency`: The currency of `amount`, to convert at the current rate; leave it out for a price in the
     *   coin. `GET /v1/currencies` lists those that can be priced.
     * - `reusable`: `true` finds or creates a standing address that never expires. Not together with `amount`.
     * - `settlementAccountId`: The id of the settlement account that receives the money (UUID); null for the default
     *   account.
     * - `successUrl`: The page that the payer goes to after payment (http or https, at most 2048 characters); null
     *   for none.
     *
     * @param array{amount?: numeric-string|null, apiKeyId?: string, cancelUrl?: string|null, chain?: 'tron'|null, currency?: 'USDT'|'TRX'|null, customerEmail?: string|null, customerRef?: string|null, label?: string|null, metadata?: array<string, string>|null, orderRef?: string|null, pricingCurrency?: 'USD'|'ARS'|'AUD'|'BRL'|'CAD'|'CHF'|'EGP'|'EUR'|'GBP'|'INR'|'JPY'|'KRW'|'LBP'|'MXN'|'NGN'|'PLN'|'TRY'|'USDT'|null, reusable?: bool|null, settlementAccountId?: string|null, successUrl?: string|null} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return CreatedDepositAddress
     * @throws DaricException
     */
    public function createDepositAddress(array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses', ['body' => $body], $options);
    }

    /**
     * Create an order by a payment link.
     *
     * The same as a click on the page of a link. No key: the token is the capability. With the same `attempt` the
     * answer is the same order, while that can be paid or is paid. A browser's request must come from a page of this
     * service.
     *
     * - `amount`: Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.
     * - `attempt`: A random text of your own for this click: sent again, it answers the same order.
     * - `email`: The payer's e-mail address, where the link asks for it and the service has a mail server; else it
     *   is not kept.
     * - `name`: The payer's name, where the link asks for it.
     * - `note`: The payer's note, where the link asks for one.
     * - `ref`: The `ref` in the address of the payment link.
     *
     * @param array{amount?: numeric-string|null, attempt?: string|null, email?: string|null, name?: string|null, note?: string|null, ref?: string|null} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return LinkOrder
     * @throws DaricException
     */
    public function createLinkOrder(string $token, array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/links/{token}/orders', ['path' => ['token' => $token], 'body' => $body], $options);
    }

    /**
     * Create a payment link.
     *
     * A template of orders with a public page at `url`. Each click there makes an order; looking makes none. Without
     * `amount` the payer chooses one within `minAmount` and `maxAmount`. The key needs the scope `charges:write`.
     *
     * - `amount`: The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the
     *   payer chooses.
     * - `ask`: The questions of the page to the payer: `name`, which it then requires, and `note`.
     * - `cancelUrl`: Where the page of an expired or cancelled order leads; null without one.
     * - `currency`: The coin that the orders are paid in.
     * - `description`: More about it, shown on the page; null without any.
     * - `expiresAt`: The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.
     * - `maxAmount`: The largest amount, where the payer chooses it.
     * - `maxPayments`: The number of orders that may be paid; null without a limit. An order of a limited link lives
     *   15 minutes.
     * - `metadata`: Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values
     *   have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8.
     * - `minAmount`: The least amount, where the payer chooses it.
     * - `orderRefPrefix`: The beginning of each order's `order_ref`; 8 random characters follow.
     * - `pricingCurrency`: The currency of `amount`, to convert at the current rate; leave it out for a price in the
     *   coin. `GET /v1/currencies` lists those that can be priced.
     * - `settlementAccountId`: The id of the settlement account that receives the money (UUID); null for the default
     *   account.
     * - `successUrl`: Where the page of a paid order leads; null without one.
     * - `suggestedAmounts`: The amounts that the page offers with one tap, in units of `currency` or
     *   `pricing_currency` (decimal strings).
     * - `thanks`: Shown on the page of an order that is paid.
     * - `title`: The name of the sold thing, shown on the page and as the `label` of its orders.
     *
     * @param array{amount?: numeric-string|null, ask?: list<'name'|'note'|'email'>|null, cancelUrl?: string|null, currency?: 'USDT'|'TRX'|null, description?: string|null, expiresAt?: string|null, maxAmount?: numeric-string|null, maxPayments?: int|null, metadata?: array<string, string>|null, minAmount?: numeric-string|null, orderRefPrefix?: string|null, pricingCurrency?: 'USD'|'ARS'|'AUD'|'BRL'|'CAD'|'CHF'|'EGP'|'EUR'|'GBP'|'INR'|'JPY'|'KRW'|'LBP'|'MXN'|'NGN'|'PLN'|'TRY'|'USDT'|null, settlementAccountId?: string|null, successUrl?: string|null, suggestedAmounts?: list<numeric-string>|null, thanks?: string|null, title: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return PaymentLink
     * @throws DaricException
     */
    public function createPaymentLink(array $body, array $options = []): array
    {
        return $this->call('POST /v1/payment-links', ['body' => $body], $options);
    }

    /**
     * Create a webhook endpoint.
     *
     * The answer holds the secret that signs its events; no other answer ever does. The key needs the scope
     * `webhooks:write`.
     *
     * - `description`: A note of your own, at most 255 characters; null for none.
     * - `eventTypes`: Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched,
     *   deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired,
     *   order.paid_late, order.accepted, settlement.completed, settlement.failed, refund.requested, refund.ready,
     *   refund.completed, refund.canceled, webhook.test.
     * - `url`: The http or https URL that receives the events, at most 2048 characters, without credentials.
     *
     * @param array{description?: string|null, eventTypes?: list<string>|null, url: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return CreatedWebhookEndpoint
     * @throws DaricException
     */
    public function createWebhookEndpoint(array $body, array $options = []): array
    {
        return $this->call('POST /v1/webhooks/endpoints', ['body' => $body], $options);
    }

    /**
     * Delete a webhook endpoint.
     *
     * No more events are sent to it, and its secret is erased. Waiting deliveries end as `EXHAUSTED`. The key needs
     * the scope `webhooks:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DeleteWebhookEndpointAnswer
     * @throws DaricException
     */
    public function deleteWebhookEndpoint(string $id, array $options = []): array
    {
        return $this->call('DELETE /v1/webhooks/endpoints/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Download the receipt of a payment as PDF.
     *
     * The price and the payments, with the value of each transfer in the currency of your books. It is a receipt of
     * payment, not a tax invoice. The key needs the scope `charges:read`.
     *
     * - `language`: The language of the receipt.
     *
     * @param array{language?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function downloadReceipt(string $id, array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/deposit-addresses/{id}/receipt', ['path' => ['id' => $id], 'query' => $query], $options);
    }

    /**
     * Download the statement of a month.
     *
     * A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` − `fees` −
     * `settled` = `closing`, and the `amount` of all entries adds up to the same. `page` and `limit` choose entries.
     * `format=csv` answers all of them as `text/csv`, between the opening and the closing balances; `bom=0` writes
     * them for programs. The balances of a month that is not over are `so_far` in place of `closing`. `format=xlsx`
     * has up to 100,000 entries, and `format=pdf` up to 5,000, for people. The key needs the scope
     * `settlements:read`.
     *
     * - `month`: The calendar month in the merchant's time zone, like `2026-11`.
     * - `format`: The format of the file.
     * - `language`: The language of the PDF.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     *
     * @param array{month: string, format: 'csv'|'xlsx'|'pdf', language?: string, bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|','} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function downloadStatement(array $query, array $options = []): array
    {
        return $this->file('GET /v1/statements', ['query' => $query], $options);
    }

    /**
     * Download fees as a file.
     *
     * A row for each fee that the service charged or gave back, oldest first, with its deposit and its value. Made
     * from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0`
     * writes CSV for programs. The key needs the scope `settlements:read`.
     *
     * - `format`: The kind of file. XLSX is for spreadsheets, JSON for programs.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     *
     * @param array{format?: 'csv'|'xlsx'|'json', bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|',', from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function exportFees(array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/exports/fees', ['query' => $query], $options);
    }

    /**
     * Download the journal as a file.
     *
     * The books in double entry: a row for each line of an entry, oldest first. The last row counts the entries
     * whose value is not known yet. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and
     * XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `settlements:read`.
     *
     * - `format`: The kind of file. XLSX is for spreadsheets, JSON for programs.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     *
     * @param array{format?: 'csv'|'xlsx'|'json', bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|',', from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function exportJournal(array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/exports/journal', ['query' => $query], $options);
    }

    /**
     * Download payments as a file.
     *
     * A row for each payment, newest first, with its price, its value and their difference. Made from `from` on and
     * before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for
     * programs. The key needs the scope `charges:read`.
     *
     * - `format`: The kind of file. XLSX is for spreadsheets, JSON for programs.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     * - `kind`: `order` has an amount, `open` takes any amount for a time, `receive` is a standing address.
     * - `status`: The state of the row, one of those in the list. No state is skipped without an event.
     * - `payment`: `paid`: only orders that are paid or accepted. `short`: only those with some confirmed money that
     *   are neither.
     * - `reference`: How `order_ref` begins, letter by letter.
     * - `paymentLinkId`: Only orders made by this payment link, by its id (UUID).
     * - `payerRef`: Only orders whose link was opened with this `ref`.
     *
     * @param array{format?: 'csv'|'xlsx'|'json', bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|',', from?: string, to?: string, kind?: 'order'|'receive'|'open', status?: 'ACTIVE'|'EXPIRED'|'ARCHIVED', payment?: 'paid'|'short', reference?: string, paymentLinkId?: string, payerRef?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function exportPayments(array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/exports/payments', ['query' => $query], $options);
    }

    /**
     * Download refunds as a file.
     *
     * A row for each refund, newest first, with the value of what it paid. Made from `from` on and before `to`. CSV
     * and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key
     * needs the scope `refunds:read`.
     *
     * - `format`: The kind of file. XLSX is for spreadsheets, JSON for programs.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     * - `status`: The state of the row, one of those in the list. No state is skipped without an event.
     * - `depositAddressId`: The id of the deposit address that was paid (UUID).
     *
     * @param array{format?: 'csv'|'xlsx'|'json', bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|',', from?: string, to?: string, status?: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', depositAddressId?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function exportRefunds(array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/exports/refunds', ['query' => $query], $options);
    }

    /**
     * Download settlements as a file.
     *
     * A row for each settlement, newest first, with the values of what it paid and cost. Made from `from` on and
     * before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for
     * programs. The key needs the scope `settlements:read`.
     *
     * - `format`: The kind of file. XLSX is for spreadsheets, JSON for programs.
     * - `bom`: `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are
     *   as they were typed: formulas too. Otherwise it is for spreadsheets.
     * - `separator`: The mark between the columns of CSV.
     * - `decimal`: The decimal mark of CSV.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     * - `status`: The state of the row, one of those in the list. No state is skipped without an event.
     * - `currency`: The currency that the payer sends. Every amount of the row is in it.
     *
     * @param array{format?: 'csv'|'xlsx'|'json', bom?: '0'|'1', separator?: ','|';'|'tab', decimal?: '.'|',', from?: string, to?: string, status?: 'OPEN'|'COMPLETED'|'FAILED', currency?: 'USDT'|'TRX'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException
     */
    public function exportSettlements(array $query = [], array $options = []): array
    {
        return $this->file('GET /v1/exports/settlements', ['query' => $query], $options);
    }

    /**
     * Give an order or an open address more time.
     *
     * Moves `expires_at` and the end of the late window while it is ACTIVE and its time is not over; a quote keeps
     * its end. The key needs the scope `charges:write`.
     *
     * - `seconds`: By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most
     *   90 days behind `created_at`.
     *
     * @param array{seconds: int} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DepositAddress
     * @throws DaricException
     */
    public function extendDepositAddress(string $id, array $body, array $options = []): array
    {
        return $this->call('POST /v1/deposit-addresses/{id}/extend', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * See what you are owed and where it is.
     *
     * One row for each currency: `confirmed` − `fees` = `settled` + `in_flight` + `waiting`. `waiting_for` names
     * what you wait for by the reason why. The key needs the scope `settlements:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return list<Balance>
     * @throws DaricException
     */
    public function listBalances(array $options = []): array
    {
        return $this->call('GET /v1/balances', [], $options);
    }

    /**
     * List the currencies of prices.
     *
     * The values of `pricingCurrency`, with their decimals and sources. It needs no key. A currency with fewer than
     * three sources cannot be priced.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return list<PricingCurrency>
     * @throws DaricException
     */
    public function listCurrencies(array $options = []): array
    {
        return $this->call('GET /v1/currencies', [], $options);
    }

    /**
     * List deposit addresses.
     *
     * Newest first. Every filter narrows the list further. `address` is empty in a row whose address cannot be
     * proven to be ours. The key needs the scope `charges:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: Only rows in this status.
     * - `chain`: Only rows of this chain.
     * - `kind`: Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds
     *   `payment_status`.
     * - `orderRef`: Only rows with exactly this reference of yours: look here before you create.
     * - `customerRef`: Your own name of the customer of this standing address, at most 120 characters.
     * - `paymentLinkId`: The id of the payment link that the order was made by (UUID); otherwise null.
     * - `payerRef`: The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
     *   proves nothing.
     * - `paymentStatus`: Only orders whose `payment_status` is this one now; rows then have it.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'ACTIVE'|'EXPIRED'|'ARCHIVED', chain?: 'tron', kind?: 'order'|'receive'|'open', orderRef?: string, customerRef?: string, paymentLinkId?: string, payerRef?: string, paymentStatus?: 'paid'|'confirming'|'detected'|'awaiting'|'expired', from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<DepositAddress>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listDepositAddresses(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/deposit-addresses', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'ACTIVE'|'EXPIRED'|'ARCHIVED', chain?: 'tron', kind?: 'order'|'receive'|'open', orderRef?: string, customerRef?: string, paymentLinkId?: string, payerRef?: string, paymentStatus?: 'paid'|'confirming'|'detected'|'awaiting'|'expired', from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, DepositAddress>
     * @throws DaricException
     */
    public function allDepositAddresses(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/deposit-addresses', $query, $options);
    }

    /**
     * List deposits.
     *
     * Newest first. Every filter narrows the list further. The key needs the scope `deposits:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: Only deposits in this status.
     * - `currency`: Only deposits of this currency.
     * - `depositAddressId`: Only deposits to the deposit address with this id (UUID).
     * - `orderRef`: Only deposits to deposit addresses with exactly this reference of yours.
     * - `paymentLinkId`: The id of the payment link that the order was made by (UUID); otherwise null.
     * - `payerRef`: The `ref` in the address of the payment link; null without one. The payer's side typed it, so it
     *   proves nothing.
     * - `txHash`: The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that
     *   holds it.
     * - `from`: Only rows created at this time or later (ISO 8601 with an offset).
     * - `to`: Only rows created before this time (ISO 8601 with an offset).
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED', currency?: 'USDT'|'TRX', depositAddressId?: string, orderRef?: string, paymentLinkId?: string, payerRef?: string, txHash?: string, from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<Deposit>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listDeposits(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/deposits', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'DETECTED'|'CONFIRMING'|'CONFIRMED'|'STUCK'|'REORG_PENDING'|'FAILED', currency?: 'USDT'|'TRX', depositAddressId?: string, orderRef?: string, paymentLinkId?: string, payerRef?: string, txHash?: string, from?: string, to?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, Deposit>
     * @throws DaricException
     */
    public function allDeposits(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/deposits', $query, $options);
    }

    /**
     * List events, oldest first.
     *
     * Every event of yours in one fixed order, whether or not it was delivered. To catch up, read on from the last
     * one that you handled. An event that is new comes after all that were listed before. Pass `next` of `meta` as
     * `after`. With `types` a page may be empty although `has_more` is true: one call reads past 1,000 events at
     * most. The key needs the scope `webhooks:read`.
     *
     * - `limit`: Number of rows on a page.
     * - `after`: The id of an event: the page begins with the event after it. `newest` answers an empty page, to
     *   read on from now. Left out, the page begins with your first event.
     * - `types`: Only events with these names, with commas between.
     *
     * @param array{limit?: int, after?: string, types?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<EventRow>, meta: array{limit: int, next: string|null, has_more: bool}}
     * @throws DaricException
     */
    public function listEvents(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/events', ['query' => $query], $options);
    }

    /**
     * List payment links.
     *
     * Newest first. The orders of one link are `GET /v1/deposit-addresses?paymentLinkId=`. The key needs the scope
     * `charges:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: The state of the row, one of those in the list. No state is skipped without an event.
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'active'|'disabled'|'sold_out'|'expired'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<PaymentLink>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listPaymentLinks(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/payment-links', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'active'|'disabled'|'sold_out'|'expired'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, PaymentLink>
     * @throws DaricException
     */
    public function allPaymentLinks(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/payment-links', $query, $options);
    }

    /**
     * List refunds.
     *
     * Newest first. `claim_url` is null in lists. The key needs the scope `refunds:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: Only refunds in this status.
     * - `depositAddressId`: Only refunds of the deposit address with this id (UUID).
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', depositAddressId?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<Refund>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listRefunds(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/refunds', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'REQUESTED'|'READY'|'SENT'|'CANCELED'|'COMPLETED', depositAddressId?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, Refund>
     * @throws DaricException
     */
    public function allRefunds(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/refunds', $query, $options);
    }

    /**
     * List your settlement accounts.
     *
     * The default first, then newest first. Your operator adds, disables and orders them; no API key can. The key
     * needs the scope `settlements:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     *
     * @param array{page?: int, limit?: int} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<SettlementAccount>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listSettlementAccounts(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/settlement-accounts', ['query' => $query], $options);
    }

    /**
     * List settlements.
     *
     * Newest first. A settlement is the transfers of one plan to one of your wallets. The key needs the scope
     * `settlements:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: The state of the row, one of those in the list. No state is skipped without an event.
     * - `currency`: The currency that the payer sends. Every amount of the row is in it.
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'OPEN'|'COMPLETED'|'FAILED', currency?: 'USDT'|'TRX'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<Settlement>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listSettlements(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/settlements', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'OPEN'|'COMPLETED'|'FAILED', currency?: 'USDT'|'TRX'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, Settlement>
     * @throws DaricException
     */
    public function allSettlements(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/settlements', $query, $options);
    }

    /**
     * List webhook deliveries.
     *
     * Newest first: each event on its way to each endpoint. The key needs the scope `webhooks:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: Only deliveries in this status.
     * - `referenceId`: Only deliveries about the deposit, deposit address or refund with this id (UUID).
     * - `endpointId`: Only deliveries to the endpoint with this id (UUID).
     * - `orderRef`: Only deliveries about deposit addresses with exactly this reference of yours, and about their
     *   deposits.
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'PENDING'|'SENDING'|'DELIVERED'|'FAILED'|'EXHAUSTED', referenceId?: string, endpointId?: string, orderRef?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<WebhookDelivery>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listWebhookDeliveries(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/webhooks/deliveries', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'PENDING'|'SENDING'|'DELIVERED'|'FAILED'|'EXHAUSTED', referenceId?: string, endpointId?: string, orderRef?: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, WebhookDelivery>
     * @throws DaricException
     */
    public function allWebhookDeliveries(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/webhooks/deliveries', $query, $options);
    }

    /**
     * List webhook endpoints.
     *
     * Newest first, without their secrets. The key needs the scope `webhooks:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `after`: The id of a row: the list begins with the row after it, and `page` counts from there. Reading on
     *   from the last row of a page costs the same at any depth, and no row is skipped or repeated.
     * - `status`: Only endpoints in this status.
     *
     * @param array{page?: int, limit?: int, after?: string, status?: 'active'|'disabled'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<WebhookEndpoint>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function listWebhookEndpoints(array $query = [], array $options = []): array
    {
        return $this->page('GET /v1/webhooks/endpoints', ['query' => $query], $options);
    }

    /**
     * Every row, newest first, read page by page on demand.
     *
     * @param array{limit?: int, status?: 'active'|'disabled'} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return \Generator<int, WebhookEndpoint>
     * @throws DaricException
     */
    public function allWebhookEndpoints(array $query = [], array $options = []): \Generator
    {
        return $this->rows('GET /v1/webhooks/endpoints', $query, $options);
    }

    /**
     * Look up a payer's transaction.
     *
     * For a payer who has paid and does not see it. A payment to any address of the order and its rests counts.
     * Never reveals another order: of a payment elsewhere it returns only the last four characters of the address.
     * Six a minute for a token. A node is queried for the rest, within a limit for the merchant and the address;
     * beyond it the result is `busy`.
     *
     * - `txHash`: The id of the transaction on the chain: 64 hex characters in small letters.
     *
     * @param array{txHash: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return CheckoutLookup
     * @throws DaricException
     */
    public function lookUpCheckoutTransaction(string $token, array $body, array $options = []): array
    {
        return $this->call('POST /v1/checkout/{token}/lookup', ['path' => ['token' => $token], 'body' => $body], $options);
    }

    /**
     * Look up the deposits of a transaction.
     *
     * Every deposit of yours in one transaction, with its deposit address. A transaction without any is an empty
     * list. The key needs the scope `deposits:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `txHash`: The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that
     *   holds it.
     *
     * @param array{page?: int, limit?: int, txHash: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: list<LookupRow>, meta: array{page: int, limit: int, total: int}}
     * @throws DaricException
     */
    public function lookUpTransaction(array $query, array $options = []): array
    {
        return $this->page('GET /v1/lookup', ['query' => $query], $options);
    }

    /**
     * Send an endpoint what it missed.
     *
     * The events from `from` to `to` that the endpoint subscribes to now and did not accept, oldest first, one every
     * 50 ms beside new events. Also those from before it was created. At most 6 calls a minute, together with its
     * test events. The key needs the scope `webhooks:write`.
     *
     * - `from`: The first moment (ISO 8601 with an offset), at most 30 days before `to`.
     * - `to`: The moment after the last one (ISO 8601 with an offset); now where it is not given.
     *
     * @param array{from: string, to?: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SentAgain
     * @throws DaricException
     */
    public function recoverWebhookEndpoint(string $id, array $body, array $options = []): array
    {
        return $this->call('POST /v1/webhooks/endpoints/{id}/recover', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Lock a fresh rate for an order priced in fiat.
     *
     * While the last quote holds it stays; once it has lapsed there is a new one. Returns what a payer may see.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Checkout
     * @throws DaricException
     */
    public function requoteCheckout(string $token, array $options = []): array
    {
        return $this->call('POST /v1/checkout/{token}/requote', ['path' => ['token' => $token]], $options);
    }

    /**
     * Send many deliveries once more.
     *
     * The matching deliveries of active endpoints, oldest first, one every 50 ms beside new events. By default these
     * are the `FAILED` and `EXHAUSTED` ones of the last 30 days. Each goes out with the same bytes. At most 6 calls
     * a minute. The key needs the scope `webhooks:write`.
     *
     * - `endpointId`: Only deliveries to the endpoint with this id (UUID).
     * - `eventTypes`: Only deliveries of events with these names.
     * - `from`: The first moment (ISO 8601 with an offset), at most 30 days before `to`.
     * - `referenceId`: Only deliveries about the deposit, deposit address or refund with this id (UUID).
     * - `status`: Only deliveries in this status; `FAILED` and `EXHAUSTED` where it is not given.
     * - `to`: The moment after the last one (ISO 8601 with an offset); now where it is not given.
     *
     * @param array{endpointId?: string, eventTypes?: list<string>, from?: string, referenceId?: string, status?: 'FAILED'|'DELIVERED'|'EXHAUSTED', to?: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SentAgain
     * @throws DaricException
     */
    public function resendWebhookDeliveries(array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/webhooks/deliveries/resend', ['body' => $body], $options);
    }

    /**
     * Send a delivery once more.
     *
     * One more attempt at once with the same bytes and the same endpoint, whatever the status of the delivery. At
     * most 6 a minute for one endpoint, together with its test events. The key needs the scope `webhooks:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookDelivery
     * @throws DaricException
     */
    public function resendWebhookDelivery(string $id, array $options = []): array
    {
        return $this->call('POST /v1/webhooks/deliveries/{id}/resend', ['path' => ['id' => $id]], $options);
    }

    /**
     * See whose key this is.
     *
     * The merchant, the environment and the network of the key, and what it may do. Any key may call it.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Account
     * @throws DaricException
     */
    public function retrieveAccount(array $options = []): array
    {
        return $this->call('GET /v1/account', [], $options);
    }

    /**
     * Retrieve what a payer may see.
     *
     * The content of the hosted page, not older than a second. No key: the token is the capability. Ask every few
     * seconds at most, with the ETag of the last answer in If-None-Match; or open a websocket at this path with
     * /live behind it, which sends `{ "type": "checkout", "data": … }` at once and after every change.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Checkout
     * @throws DaricException
     */
    public function retrieveCheckout(string $token, array $options = []): array
    {
        return $this->call('GET /v1/checkout/{token}', ['path' => ['token' => $token]], $options);
    }

    /**
     * Retrieve a deposit.
     *
     * One transfer to one of your addresses, with how final it is. The key needs the scope `deposits:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Deposit
     * @throws DaricException
     */
    public function retrieveDeposit(string $id, array $options = []): array
    {
        return $this->call('GET /v1/deposits/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve a deposit address.
     *
     * One deposit address with the amounts that it has received so far. Prefer webhooks to polling. The key needs
     * the scope `charges:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return DepositAddress
     * @throws DaricException
     */
    public function retrieveDepositAddress(string $id, array $options = []): array
    {
        return $this->call('GET /v1/deposit-addresses/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve an event.
     *
     * One event, with the body of its webhook. The key needs the scope `webhooks:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return EventRow
     * @throws DaricException
     */
    public function retrieveEvent(string $id, array $options = []): array
    {
        return $this->call('GET /v1/events/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve a payment link.
     *
     * One payment link, with how many of its orders are open and paid. The key needs the scope `charges:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return PaymentLink
     * @throws DaricException
     */
    public function retrievePaymentLink(string $id, array $options = []): array
    {
        return $this->call('GET /v1/payment-links/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve a refund.
     *
     * One refund. `claim_url` is there for keys with `refunds:write` alone. The key needs the scope `refunds:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Refund
     * @throws DaricException
     */
    public function retrieveRefund(string $id, array $options = []): array
    {
        return $this->call('GET /v1/refunds/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve a refund as its payer sees it.
     *
     * No key: the token at the end of `claim_url` is the capability. Once the link took an address it shows that
     * one.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return RefundClaim
     * @throws DaricException
     */
    public function retrieveRefundClaim(string $token, array $options = []): array
    {
        return $this->call('GET /v1/refund-claims/{token}', ['path' => ['token' => $token]], $options);
    }

    /**
     * Retrieve a settlement.
     *
     * With its sweeps, their transactions on the chain, and what these have cost. The key needs the scope
     * `settlements:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SettlementDetail
     * @throws DaricException
     */
    public function retrieveSettlement(string $id, array $options = []): array
    {
        return $this->call('GET /v1/settlements/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve the statement of a month.
     *
     * A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` − `fees` −
     * `settled` = `closing`, and the `amount` of all entries adds up to the same. `page` and `limit` choose entries.
     * `format=csv` answers all of them as `text/csv`, between the opening and the closing balances; `bom=0` writes
     * them for programs. The balances of a month that is not over are `so_far` in place of `closing`. `format=xlsx`
     * has up to 100,000 entries, and `format=pdf` up to 5,000, for people. The key needs the scope
     * `settlements:read`.
     *
     * - `page`: Number of the page, counted from 1.
     * - `limit`: Number of rows on a page.
     * - `month`: The calendar month in the merchant's time zone, like `2026-11`.
     *
     * @param array{page?: int, limit?: int, month: string} $query
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return Statement
     * @throws DaricException
     */
    public function retrieveStatement(array $query, array $options = []): array
    {
        return $this->call('GET /v1/statements', ['query' => $query], $options);
    }

    /**
     * Retrieve a webhook delivery.
     *
     * One delivery with every attempt that was made. The key needs the scope `webhooks:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookDeliveryDetail
     * @throws DaricException
     */
    public function retrieveWebhookDelivery(string $id, array $options = []): array
    {
        return $this->call('GET /v1/webhooks/deliveries/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve a webhook endpoint.
     *
     * One endpoint, without its secret. The key needs the scope `webhooks:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookEndpoint
     * @throws DaricException
     */
    public function retrieveWebhookEndpoint(string $id, array $options = []): array
    {
        return $this->call('GET /v1/webhooks/endpoints/{id}', ['path' => ['id' => $id]], $options);
    }

    /**
     * Retrieve the health of a webhook endpoint.
     *
     * How its receiver answers: the last success, since when it fails, what waits, and the attempts of the last 24
     * hours without tests. The key needs the scope `webhooks:read`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookEndpointHealth
     * @throws DaricException
     */
    public function retrieveWebhookEndpointHealth(string $id, array $options = []): array
    {
        return $this->call('GET /v1/webhooks/endpoints/{id}/health', ['path' => ['id' => $id]], $options);
    }

    /**
     * Give a webhook endpoint a new secret.
     *
     * Makes a new secret, which is shown this once. For as long as the overlap lasts every delivery is signed with
     * the secret before too, so that receivers can change over. A second rotation within it ends the oldest secret.
     * The key needs the scope `webhooks:write`.
     *
     * - `overlapSeconds`: For how many seconds deliveries are signed with the secret before too; 86400, a day, where
     *   it is not given.
     *
     * @param array{overlapSeconds?: int|null} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return RotatedWebhookEndpoint
     * @throws DaricException
     */
    public function rotateWebhookSecret(string $id, array $body = [], array $options = []): array
    {
        return $this->call('POST /v1/webhooks/endpoints/{id}/rotate-secret', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Send a test event and wait for the answer.
     *
     * One signed `webhook.test`, one attempt, also to an endpoint that is disabled. At most 6 a minute for one
     * endpoint, together with its resends. The key needs the scope `webhooks:write`.
     *
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookTestResult
     * @throws DaricException
     */
    public function sendTestEvent(string $id, array $options = []): array
    {
        return $this->call('POST /v1/webhooks/endpoints/{id}/test', ['path' => ['id' => $id]], $options);
    }

    /**
     * Play a test case: have the devnet pay a checkout.
     *
     * Only on the devnet network. Like simulatePayment, with a checkout token instead of a key: the page's test
     * panel uses it.
     *
     * - `case`: `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in
     *   two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the other
     *   currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If nothing is due,
     *   the amount is 10.
     *
     * @param array{case: 'exact'|'under'|'over'|'twice'|'late'|'wrong_coin'|'reorged'} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SimulatedPayment
     * @throws DaricException
     */
    public function simulateCheckoutPayment(string $token, array $body, array $options = []): array
    {
        return $this->call('POST /v1/checkout/{token}/simulate', ['path' => ['token' => $token], 'body' => $body], $options);
    }

    /**
     * Play a test case: have the devnet pay a deposit address.
     *
     * Only on the devnet network. A real, signed payment on the local chain: the service reads it like any other.
     * Moves no clock and mines no block. The key needs the scope `charges:write`.
     *
     * - `case`: `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in
     *   two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the other
     *   currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If nothing is due,
     *   the amount is 10.
     *
     * @param array{case: 'exact'|'under'|'over'|'twice'|'late'|'wrong_coin'|'reorged'} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SimulatedPayment
     * @throws DaricException
     */
    public function simulatePayment(string $id, array $body, array $options = []): array
    {
        return $this->call('POST /v1/test/deposit-addresses/{id}/simulate', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Play a test case of a refund: its payer, or its payment.
     *
     * Only on the devnet network. A real, signed payment on the local chain, which the service recognises like any
     * other. The devnet's wallet becomes a paying wallet of yours by `pay`. The key needs the scope `refunds:write`.
     *
     * - `case`: `claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it.
     *   `short`: the amount is short by the smallest part of the coin.
     *
     * @param array{case: 'claim'|'pay'|'short'} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return SimulatedRefund
     * @throws DaricException
     */
    public function simulateRefund(string $id, array $body, array $options = []): array
    {
        return $this->call('POST /v1/test/refunds/{id}/simulate', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Change or pause a payment link.
     *
     * A missing field stays as it is. A change never reaches an order that exists. `isActive: false` pauses the
     * link. The key needs the scope `charges:write`.
     *
     * - `description`: More about it, shown on the page; null without any.
     * - `expiresAt`: The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.
     * - `isActive`: False pauses the link: it takes no new orders.
     * - `maxPayments`: The number of orders that may be paid; null without a limit. An order of a limited link lives
     *   15 minutes.
     * - `title`: The name of the sold thing, shown on the page and as the `label` of its orders.
     *
     * @param array{description?: string|null, expiresAt?: string|null, isActive?: bool, maxPayments?: int|null, title?: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return PaymentLink
     * @throws DaricException
     */
    public function updatePaymentLink(string $id, array $body = [], array $options = []): array
    {
        return $this->call('PATCH /v1/payment-links/{id}', ['path' => ['id' => $id], 'body' => $body], $options);
    }

    /**
     * Update a webhook endpoint.
     *
     * Changes the given fields and leaves the others. While it is not active its events wait. The key needs the
     * scope `webhooks:write`.
     *
     * - `description`: A note of your own, at most 255 characters; null for none.
     * - `eventTypes`: Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched,
     *   deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired,
     *   order.paid_late, order.accepted, settlement.completed, settlement.failed, refund.requested, refund.ready,
     *   refund.completed, refund.canceled, webhook.test.
     * - `isActive`: Whether events are sent. While it is `false` they wait, at most 3 days.
     * - `url`: The http or https URL that receives the events, at most 2048 characters, without credentials.
     *
     * @param array{description?: string|null, eventTypes?: list<string>, isActive?: bool, url?: string} $body
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return WebhookEndpoint
     * @throws DaricException
     */
    public function updateWebhookEndpoint(string $id, array $body = [], array $options = []): array
    {
        return $this->call('PATCH /v1/webhooks/endpoints/{id}', ['path' => ['id' => $id], 'body' => $body], $options);
    }
}
