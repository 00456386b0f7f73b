import { setTimeout as sleep } from "node:timers/promises";
import { apiOf, type RunningDemo } from "./demo-api.ts";
import { DemoError } from "./settings.ts";

/** The pause between requests. The user of the demo has the same key, and must keep most of its rate. */
const PAUSE_MS = 150;
/** Makes the payments final at once. */
const BLOCKS = 20;
const POLL_EVERY_MS = 3_000;
/** An order of two minutes expires in a solid block, about three minutes later; the chain may be paused. */
const EXPIRY_MS = 15 * 60_000;

type Planned = {
  /** of the merchant whose orders live two minutes and bear the fee on top, so that some expire soon */
  readonly isShort?: true;
  readonly body: Readonly<Record<string, unknown>>;
  /** absent: nothing is ever paid */
  readonly case?: string;
};
type Row = { readonly id: string; readonly status: string };
type Api = ReturnType<typeof apiOf>;
type Order = Planned & {
  readonly reference: string;
  readonly api: Api;
  readonly row: Row;
  readonly isNew: boolean;
};

const times = (count: number, planned: (n: number) => Planned): Planned[] =>
  Array.from({ length: count }, (_, n) => planned(n));
const usdt = (n: number, cents = 50) => `${12 + 7 * (n % 9)}.${cents}`;

/** The 60 orders and addresses. Those that have to expire come first. */
export const history: readonly Planned[] = [
  ...times(4, (n) => ({ isShort: true, body: { amount: usdt(n) }, case: "late" })),
  ...times(4, (n) => ({ isShort: true, body: { amount: usdt(n, 25) } })),
  ...times(4, (n) => ({ isShort: true, body: { amount: usdt(n, 75) }, case: "exact" })),
  ...times(16, (n) => ({ body: { amount: usdt(n) }, case: "exact" })),
  ...times(8, (n) => ({ body: { amount: `${100 + 35 * n}`, currency: "TRX" }, case: "exact" })),
  ...times(4, (n) => ({ body: { amount: `${9 + 10 * n}.90`, pricingCurrency: "USD" }, case: "exact" })),
  { body: { amount: "49.90", pricingCurrency: "EUR" }, case: "exact" },
  { body: { amount: "1500", pricingCurrency: "JPY" }, case: "exact" },
  ...times(5, (n) => ({ body: { amount: usdt(n, 40) }, case: "under" })),
  ...times(5, (n) => ({ body: { amount: usdt(n, 60) }, case: "over" })),
  ...times(2, (n) => ({ body: { amount: usdt(n, 80) }, case: "twice" })),
  ...times(2, (n) => ({ body: { amount: usdt(n, 10) }, case: "wrong_coin" })),
  ...times(2, (n) => ({
    body: { reusable: true, customerRef: `history-customer-${n + 1}`, label: "A customer's own address" },
    case: "exact",
  })),
  ...times(2, (n) => ({
    body: { label: "Donations", ...(n === 1 && { currency: "TRX" }) },
    case: "exact",
  })),
];

/**
 * Makes and pays the orders of the history on the local chain, and waits for the late payments. Orders of an earlier
 * run stay as they are. Returns the number of orders, and how many of them this run made.
 *
 * @throws DemoError without a local chain, and for refusals of the service.
 */
export async function playHistory(
  demo: RunningDemo,
  print: (line: string) => void,
): Promise<{ orders: number; made: number }> {
  const { baseUrl, apiKey, clientFeeApiKey = apiKey, chainUrl } = demo;
  if (chainUrl === undefined)
    throw new DemoError("this demo has no local chain of its own, so nothing can be paid there");
  const apis = { long: apiOf(baseUrl, apiKey), short: apiOf(baseUrl, clientFeeApiKey) };
  const orders: Order[] = [];
  const isFresh = (await findOrder(apis.short, nameOf(0))) === undefined;
  for (const [index, planned] of history.entries()) {
    const api = planned.isShort ? apis.short : apis.long;
    const reference = nameOf(index);
    const found = isFresh ? undefined : await findOrder(api, reference);
    const row = found ?? (await create(api, planned, reference));
    const order = { ...planned, reference, api, row, isNew: found === undefined };
    orders.push(order);
    if (planned.case !== undefined && planned.case !== "late") await payOnce(order);
    await sleep(PAUSE_MS);
  }
  print(`${orders.length} orders are made, and all but those of the late payers are paid.`);
  const made = orders.filter(({ isNew }) => isNew).length;
  if (made > 0) await mine(chainUrl);
  for (const order of orders.filter((order) => order.case === "late")) await payLate(order);
  print("The history is complete.");
  return { orders: orders.length, made };
}

function nameOf(index: number): string {
  return `history-${String(index + 1).padStart(2, "0")}`;
}

async function findOrder(api: Api, reference: string): Promise<Row | undefined> {
  return (await api.get<Row[]>(`/v1/deposit-addresses?limit=1&orderRef=${reference}`))[0];
}

/** A price in a currency becomes one in USDT while there is no rate. */
async function create(api: Api, { body }: Planned, reference: string): Promise<Row> {
  const { pricingCurrency, ...plain } = body;
  const path = "/v1/deposit-addresses";
  const inFiat =
    pricingCurrency === undefined
      ? undefined
      : await api.postIfAvailable<Row>(path, { ...body, orderRef: reference });
  return inFiat ?? api.post<Row>(path, { ...plain, orderRef: reference });
}

async function payOnce({ api, row: { id }, isNew, case: testCase }: Order): Promise<void> {
  const paid = isNew ? [] : await api.get<unknown[]>(`/v1/deposits?limit=1&depositAddressId=${id}`);
  if (paid.length > 0) return;
  await api.post(`/v1/test/deposit-addresses/${id}/simulate`, { case: testCase });
}

async function mine(chainUrl: string): Promise<void> {
  // The faucet's transactions are in the next blocks, and these make them final.
  const answer = await fetch(`${chainUrl}/devchain/mine`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ blocks: BLOCKS }),
  });
  if (!answer.ok) throw new DemoError(`the local chain made no blocks: ${await answer.text()}`);
}

/** Pays an order once it has expired. */
async function payLate(order: Order): Promise<void> {
  const { api, reference } = order;
  const endsMs = performance.now() + EXPIRY_MS;
  while ((await api.get<Row>(`/v1/deposit-addresses/${order.row.id}`)).status === "ACTIVE") {
    if (performance.now() > endsMs) throw new DemoError(`${reference} does not expire: is the chain paused?`);
    await sleep(POLL_EVERY_MS);
  }
  await payOnce({ ...order, isNew: false });
}
