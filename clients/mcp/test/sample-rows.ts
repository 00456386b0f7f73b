import type {
  Deposit,
  DepositAddress,
  PaymentLink,
  Refund,
  WebhookDelivery,
  WebhookEndpoint,
} from "@daric/sdk/contract";

const ID = "0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b";
const AT = "2026-11-30T12:00:00.000Z";
const ADDRESS = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

/** An order of 25.5 USDT that waits for money. */
export function anOrderRow(own: Partial<DepositAddress> = {}): DepositAddress {
  return {
    ...{ id: ID, address: ADDRESS, chain: "tron", kind: "order", status: "ACTIVE", currency: "USDT" },
    ...{ expected_amount: "25.5", amount_due: "25.5", amount_received: "0", amount_pending: "0" },
    ...{ pay_amount: null, refunded_amount: "0", fee_mode: "merchant", payment_state: "none" },
    ...{
      fiat_amount: null,
      fiat_currency: null,
      quote_rate: null,
      quote_source: null,
      quote_expires_at: null,
    },
    ...{ created_at: AT, updated_at: AT, expires_at: "2026-11-30T13:00:00.000Z", payment_status: "awaiting" },
    ...{
      accept_reason: null,
      accepted_at: null,
      paid_late: false,
      rest_of: null,
      settlement_account_id: null,
    },
    ...{ cancel_url: null, success_url: null, checkout_token: "t", checkout_url: "https://pay.example/c/t" },
    ...{ customer_email: null, customer_email_later: null, customer_email_source: null, customer_ref: null },
    ...{
      label: null,
      metadata: null,
      order_ref: "A-1042",
      payer: null,
      payer_ref: null,
      payment_link_id: null,
    },
    ...own,
  };
}

/** A confirmed deposit of 25.5 USDT. */
export function aDepositRow(own: Partial<Deposit> = {}): Deposit {
  return {
    ...{ id: ID, deposit_address_id: ID, address: ADDRESS, from_address: null, chain: "tron", source: "log" },
    ...{ amount: "25.5", currency: "USDT", status: "CONFIRMED", stuck_reason: null, failure_reason: null },
    ...{
      block_hash: "ab".repeat(32),
      block_number: 100,
      block_time: AT,
      tx_hash: "cd".repeat(32),
      event_index: 0,
    },
    ...{ confirmations: 19, required_confirmations: 19, confirmed_at: AT, detected_at: AT, failed_at: null },
    ...{ created_at: AT, updated_at: AT, late: false, unmatched: false, order_ref: "A-1042" },
    ...{
      book_amount: null,
      book_currency: null,
      book_rate: null,
      book_rate_at: null,
      book_rate_sources: null,
    },
    ...own,
  };
}

export function aRefundRow(own: Partial<Refund> = {}): Refund {
  return {
    ...{
      id: ID,
      deposit_address_id: ID,
      order_ref: "A-1042",
      amount: "1",
      currency: "USDT",
      status: "READY",
    },
    ...{
      address: ADDRESS,
      default_address: null,
      fiat_amount: null,
      needs_confirmation: null,
      paid_amount: null,
    },
    ...{
      claim_url: null,
      claim_expires_at: AT,
      pay_until: null,
      reason: null,
      refund_ref: null,
      tx_hash: null,
    },
    ...{ requested_at: AT, ready_at: AT, sent_at: null, completed_at: null, canceled_at: null },
    ...own,
  };
}

export function aReceiverRow(own: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    ...{ id: ID, url: "https://shop.example/hook", description: null, event_types: ["order.paid"] },
    ...{ is_active: true, status: "active", created_at: AT, updated_at: AT },
    ...own,
  };
}

export function aDeliveryRow(own: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    ...{
      id: ID,
      endpoint_id: ID,
      endpoint_url: "https://shop.example/hook",
      event_id: ID,
      event_type: "order.paid",
    },
    ...{ status: "FAILED", attempt_count: 3, attempts: 3, last_error: "http_status", last_status_code: 500 },
    ...{ next_attempt_at: AT, order_ref: "A-1042", deposit_address_id: ID, reference_id: ID },
    ...{ created_at: AT, updated_at: AT },
    ...own,
  };
}

export function aLinkRow(own: Partial<PaymentLink> = {}): PaymentLink {
  return {
    ...{
      id: ID,
      token: "t",
      url: "https://pay.example/l/t",
      title: "Ticket",
      description: null,
      thanks: null,
    },
    ...{ amount: "25", currency: "USDT", pricing_currency: null, min_amount: null, max_amount: null },
    ...{ suggested_amounts: [], max_payments: null, expires_at: null, ask: [], order_ref_prefix: "T-" },
    ...{ status: "active", orders_open: 0, orders_paid: 0, success_url: null, cancel_url: null },
    ...{ settlement_account_id: null, metadata: null, created_at: AT, updated_at: AT },
    ...own,
  };
}
