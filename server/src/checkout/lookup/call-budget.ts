import type { MerchantId } from "../../domain/ids.ts";
import type { LookupContext } from "./context.ts";

/** The calls that a question to a node costs at most. */
const CALLS_PER_LOOKUP = 2;
/**
 * How many calls a minute all payers of this process may cost, those of one merchant, and those from one address: whatever one
 * of them asks, there is something left for the others.
 */
const CALLS_PER_MINUTE = { all: 60, merchant: 40, address: 20 } as const;
const MINUTE_MS = 60_000;

/** For whom a node is asked. */
export type CallOwner = { readonly merchantId: MerchantId; readonly clientAddress: string };

/** What payers may have nodes asked. */
type CallBudget = {
  /** Takes the calls of a question, and answers 0; or the seconds until there are some, where there are none. */
  take(owner: CallOwner): number;
  /** Less than half of it is left. */
  isLow(): boolean;
};

/** Makes the call budget of a process. It is full again at the end of each minute. */
export function createCallBudget(clock: LookupContext["clock"]): CallBudget {
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
      if (shares.some(([name, most]) => spentBy(name) + CALLS_PER_LOOKUP > most))
        return Math.ceil((sinceMs + MINUTE_MS - clock.monotonicMs()) / 1_000);
      for (const [name] of shares) spent.set(name, spentBy(name) + CALLS_PER_LOOKUP);
      return 0;
    },
    isLow: () => spentBy("all") * 2 > CALLS_PER_MINUTE.all,
  };
}
