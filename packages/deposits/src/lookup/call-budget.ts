import type { MerchantId } from "@daric/domain/ids";
import type { Clock } from "@daric/runtime/clock";

/** The most node calls of a query. */
const CALLS_PER_QUERY = 2;
/**
 * Node calls a minute of this process, of one merchant and its payers, and of one address. No one of them can use up the share
 * of the others.
 */
const CALLS_PER_MINUTE = { all: 60, merchant: 40, address: 20 } as const;
const MINUTE_MS = 60_000;

export type CallOwner = {
  /** the merchant, or that of the payer; the operator has none */
  readonly merchantId?: MerchantId;
  /** the network address, in the form of rate limits */
  readonly clientAddress: string;
};

type CallBudget = {
  /** Takes the calls of a query and returns 0, or returns the seconds until there are some. */
  take(owner: CallOwner): number;
  /** Less than half of the budget is left. */
  isLow(): boolean;
};

/** The call budget of a process; it is full again at the end of each minute. */
export function createCallBudget(clock: Clock): CallBudget {
  const spent = new Map<string, number>();
  let sinceMs = clock.monotonicMs();

  function spentBy(name: string): number {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= MINUTE_MS) {
      spent.clear();
      sinceMs = nowMs;
    }
    return spent.get(name) ?? 0;
  }
  return {
    take({ merchantId, clientAddress }) {
      const shares = [
        ["all", CALLS_PER_MINUTE.all],
        [`merchant:${merchantId}`, CALLS_PER_MINUTE.merchant],
        [`address:${clientAddress}`, CALLS_PER_MINUTE.address],
      ] as const;
      if (shares.some(([name, max]) => spentBy(name) + CALLS_PER_QUERY > max))
        return Math.ceil((sinceMs + MINUTE_MS - clock.monotonicMs()) / 1_000);
      for (const [name] of shares) spent.set(name, spentBy(name) + CALLS_PER_QUERY);
      return 0;
    },
    isLow: () => spentBy("all") * 2 > CALLS_PER_MINUTE.all,
  };
}
