import type { CreatedDepositAddress, DepositAddress } from "./contract.ts";
import { DaricError, type FieldFault } from "./daric-error.ts";
import { canonicalDecimal } from "./decimal.ts";
import type { DepositAddresses } from "./deposit-addresses.ts";
import { MAX_ROWS } from "./every-row.ts";
import type { BodyOf, CallOptions } from "./operation.ts";
import { retryWaitMs } from "./retry-policy.ts";
import type { Settings } from "./settings.ts";
import { pause } from "./timeout.ts";

/** An order with its reference and its price. */
export type OrderOnce = Omit<BodyOf<"POST /v1/deposit-addresses">, "orderRef" | "amount" | "reusable"> & {
  orderRef: string;
  amount: string;
};

/** The order of a reference: new, or existing in any state. */
export type OnceMade =
  | { readonly isNew: true; readonly order: CreatedDepositAddress }
  | { readonly isNew: false; readonly order: DepositAddress };

const OPERATION = "POST /v1/deposit-addresses";

/** Makes orders after a look-up by their reference. */
export class OrdersOnce {
  readonly #charges: DepositAddresses;
  readonly #maxRetries: number;
  /** the last unfinished call of each reference */
  readonly #underway = new Map<string, Promise<unknown>>();

  constructor(charges: DepositAddresses, { maxRetries }: Pick<Settings, "maxRetries">) {
    this.#charges = charges;
    this.#maxRetries = maxRetries;
  }

  /** Calls for one reference run one after the other, so that the later one finds the earlier one's order. */
  async create(order: OrderOnce, options?: CallOptions): Promise<OnceMade> {
    const { orderRef } = order;
    if (typeof orderRef !== "string" || orderRef === "") {
      throw new TypeError("createOrderOnce needs the orderRef that the order is looked up by.");
    }
    const before = this.#underway.get(orderRef);
    const own = after(before, () => this.#findOrCreate(order, options));
    this.#underway.set(orderRef, own);
    try {
      return await own;
    } finally {
      if (this.#underway.get(orderRef) === own) this.#underway.delete(orderRef);
    }
  }

  async #findOrCreate(order: OrderOnce, options?: CallOptions): Promise<OnceMade> {
    for (let tries = 1; ; tries += 1) {
      const found = await this.#find(order, options);
      if (found !== undefined) return found;
      try {
        return { isNew: true, order: await this.#charges.create(order, options) };
      } catch (error) {
        if (!(error instanceof DaricError) || !error.isOutcomeUnknown) throw error;
        // The order may exist nevertheless. If it is not visible yet, the caller asks again later.
        const made = await this.#find(order, options).catch(() => undefined);
        if (made !== undefined) return made;
        const waitMs = tries > this.#maxRetries ? undefined : pauseAskedFor(error, tries);
        if (waitMs === undefined) throw error;
        await pause(waitMs, options?.signal);
      }
    }
  }

  /**
   * @throws DaricError ORDER_REF_CONFLICT if the order of this reference has another price, UNEXPECTED_ANSWER
   * if the result has another reference.
   */
  async #find(order: OrderOnce, options?: CallOptions): Promise<OnceMade | undefined> {
    const query = { orderRef: order.orderRef, kind: "order", limit: MAX_ROWS } as const;
    const { data } = await this.#charges.list(query, options);
    refuseOthers(data, order.orderRef);
    // Independent callers may have made several orders: the paid one counts, else one with money above dust, else the oldest.
    // A rest is part of another order of this reference.
    const orders = data.filter(({ rest_of }) => !rest_of);
    const paid = orders.find(({ payment_status }) => payment_status === "paid");
    const row = paid ?? orders.find(hasMoney) ?? orders.at(-1);
    if (row === undefined) return undefined;
    const details = differences(order, row);
    if (details.length === 0) return { isNew: false, order: row };
    throw new DaricError(
      `There is an order ${JSON.stringify(order.orderRef)} at another price (${row.id}): a new order needs an orderRef of its own.`,
      { code: "ORDER_REF_CONFLICT", operation: OPERATION, details },
    );
  }
}

/** The wait after a 503 with Retry-After: it refused the order for now. After any other failure the order may still be on its way. */
function pauseAskedFor(failure: DaricError, tries: number): number | undefined {
  if (failure.status !== 503 || failure.retryAfter === undefined) return undefined;
  return retryWaitMs(failure, { tries, isRepeatable: true, random: Math.random() });
}

/** Whether money above dust arrived, final or not. */
function hasMoney({ payment_state, payment_status }: DepositAddress): boolean {
  return payment_state !== "none" || payment_status === "confirming" || payment_status === "detected";
}

/**
 * Waits for the previous call, and fails if that ended without an answer. Its request may still be carried
 * out, and a second one would repeat it.
 */
async function after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  try {
    await before;
  } catch (cause) {
    if (!(cause instanceof DaricError) || cause.isOutcomeUnknown) {
      const message = "The previous call with this orderRef ended without an answer: wait and call again.";
      throw new DaricError(message, {
        code: "CONNECTION",
        operation: OPERATION,
        isOutcomeUnknown: true,
        cause,
      });
    }
  }
  return work();
}

/** Refuses rows of another reference: a service that ignored the filter would return another customer's order. */
function refuseOthers(rows: readonly DepositAddress[], orderRef: string): void {
  const other = rows.find(({ order_ref }) => order_ref !== orderRef);
  if (other === undefined) return;
  const message = `Asked for the orders of ${JSON.stringify(orderRef)}, the service answered ${other.id} of another reference.`;
  throw new DaricError(message, { code: "UNEXPECTED_ANSWER", operation: "GET /v1/deposit-addresses" });
}

function differences(order: OrderOnce, row: DepositAddress): FieldFault[] {
  const fiat = order.pricingCurrency === "USDT" ? null : (order.pricingCurrency ?? null);
  const pairs = [
    ["currency", order.currency ?? "USDT", row.currency],
    ["pricingCurrency", fiat ?? row.currency, row.fiat_currency ?? row.currency],
    [
      "amount",
      canonicalDecimal(order.amount) ?? order.amount,
      canonicalDecimal(fiat === null ? row.expected_amount : row.fiat_amount),
    ],
  ] as const;
  return pairs
    .filter(([, requested, existing]) => requested !== existing)
    .map(([path, , existing]) => ({ path, message: `is ${existing || "not set"} in the existing order` }));
}
