import { setTimeout as sleep } from "node:timers/promises";
import type { DemoCharge, DemoMerchantApi } from "./demo-api.ts";
import { DemoError } from "./settings.ts";

const POLL_EVERY_MS = 500;
/** The chain makes a block every 3 s unless it is paused. */
const STANDSTILL_MS = 60_000;
/** Events are sent within a second, unless the receiver is slow. */
const DELIVERY_MS = 10_000;
const CONFIRMATIONS_A_LINE = 5;

type PayOptions = { readonly case: string; readonly isAwaited: boolean };

type Simulation = {
  readonly case: string;
  readonly payments: readonly { tx_hash: string; currency: string; amount: string }[];
  readonly expected_events: readonly string[];
  readonly next: string;
};

type DepositRow = {
  readonly id: string;
  readonly tx_hash: string;
  readonly currency: string;
  readonly amount: string;
  readonly status: string;
  readonly confirmations: number;
  readonly required_confirmations: number;
};

type DeliveryRow = { readonly event_type: string; readonly status: string };

/**
 * Pays an order of the demo as a test case says, and follows the payment until it is final. Returns what the API says of it.
 *
 * @throws DemoError for refusals of the service, and if nothing changes for a minute.
 */
export async function payOrder(
  api: DemoMerchantApi,
  options: PayOptions,
  print: (line: string) => void,
): Promise<object> {
  const { charge } = api;
  print(`${nameOf(charge)} at ${charge.address}`);
  const path = `/v1/test/deposit-addresses/${charge.id}/simulate`;
  const sent = await api.post<Simulation>(path, { case: options.case });
  for (const { amount, currency, tx_hash } of sent.payments) print(`Sent ${amount} ${currency}: ${tx_hash}`);
  print(sent.next);
  if (!options.isAwaited) return sent;
  const deposits = await follow(api, sent, print);
  const events = await deliveriesOf(api, deposits);
  const after = await api.get<DemoCharge>(`/v1/deposit-addresses/${charge.id}`);
  print(`${charge.currency} received: ${after.amount_received}${statusText(after)}`);
  if (events.length === 0)
    print("No event was sent: no webhook endpoint subscribes to one (docs/webhooks.md).");
  for (const { event_type, status } of events) print(`Event ${event_type}: ${status}`);
  return { ...sent, deposits, deposit_address: after, events };
}

function nameOf({ order_ref, amount_due: due, currency }: DemoCharge): string {
  const reference = order_ref === null ? "" : ` ${order_ref}`;
  return due === null
    ? `Address${reference} for any amount of ${currency}`
    : `Order${reference} of ${due} ${currency}`;
}

function statusText({ payment_status }: DemoCharge): string {
  return payment_status === undefined ? "" : `; the order is ${payment_status}`;
}

/**
 * Prints the progress of the deposits until all are final.
 *
 * @throws DemoError if nothing changes for a minute.
 */
async function follow(
  api: DemoMerchantApi,
  { payments }: Simulation,
  print: (line: string) => void,
): Promise<DepositRow[]> {
  const printed = new Map<string, string>();
  let movedMs = performance.now();
  let seen = "";
  for (;;) {
    const deposits = (
      await Promise.all(
        payments.map(({ tx_hash }) => api.get<DepositRow[]>(`/v1/deposits?txHash=${tx_hash}`)),
      )
    ).flat();
    for (const deposit of deposits) {
      const line = lineOf(deposit);
      if (printed.get(deposit.id) !== line) print(line);
      printed.set(deposit.id, line);
    }
    if (deposits.length >= payments.length && deposits.every(isFinal)) return deposits;
    const state = deposits.map(({ status, confirmations }) => `${status} ${confirmations}`).join();
    if (state !== seen) movedMs = performance.now();
    seen = state;
    if (performance.now() - movedMs > STANDSTILL_MS) {
      throw new DemoError(
        `the payment was sent, and no block came for ${STANDSTILL_MS / 1_000} s: is the local chain paused?`,
      );
    }
    await sleep(POLL_EVERY_MS);
  }
}

function isFinal({ status }: DepositRow): boolean {
  return status === "CONFIRMED" || status === "FAILED";
}

/** The same line for a few confirmations, so that not every block prints one. */
function lineOf(deposit: DepositRow): string {
  const { amount, currency, status, confirmations, required_confirmations } = deposit;
  if (isFinal(deposit) || confirmations < CONFIRMATIONS_A_LINE) return `${amount} ${currency} ${status}`;
  // A demo chain makes a block final at the last confirmation; other chains take longer.
  if (confirmations > required_confirmations)
    return `${amount} ${currency} ${status}, ${required_confirmations} of ${required_confirmations}, waiting for the network to make it final`;
  const deep = confirmations - (confirmations % CONFIRMATIONS_A_LINE);
  return `${amount} ${currency} ${status}, ${deep} of ${required_confirmations} confirmations`;
}

/** The deliveries of these deposits and their order, after the last attempt. */
async function deliveriesOf(api: DemoMerchantApi, deposits: readonly DepositRow[]): Promise<DeliveryRow[]> {
  const references = [...deposits.map(({ id }) => id), api.charge.id];
  const deadline = performance.now() + DELIVERY_MS;
  for (;;) {
    const lists = references.map((id) => api.get<DeliveryRow[]>(`/v1/webhooks/deliveries?referenceId=${id}`));
    const rows = (await Promise.all(lists)).flat();
    const isUnderWay = rows.some(({ status }) => status === "PENDING" || status === "SENDING");
    if (!isUnderWay || performance.now() > deadline) return rows;
    await sleep(POLL_EVERY_MS);
  }
}
