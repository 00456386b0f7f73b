import { setTimeout as sleep } from "node:timers/promises";
import type { Row, Stack, StackMerchant } from "@daric/testing/stack";

const CREATORS = 4;
/** A merchant's pause after a refused order. */
const REFUSED_PAUSE_MS = 100;
/** One in this many orders is paid. */
const PAID_EVERY = 5;

/** A merchant that creates orders one after the other, and payers who pay some of them. */
export type Sales = {
  /** the orders that were answered with 201, with the times and how long each answer took */
  readonly made: readonly { readonly order: Row; readonly atMs: number; readonly tookMs: number }[];
  /** the ids of paid orders */
  readonly paid: readonly string[];
  /** the number of refusals and network faults by code */
  readonly codes: Readonly<Record<string, number>>;
  /** Resolves when no request is under way. */
  close(): Promise<void>;
};

export function openSales(
  stack: Stack,
  { merchant, apis }: { readonly merchant: StackMerchant; readonly apis: readonly string[] },
): Sales {
  const made: { order: Row; atMs: number; tookMs: number }[] = [];
  const paid: string[] = [];
  const codes: Record<string, number> = {};
  const payments: Promise<void>[] = [];
  let isClosing = false;
  let count = 0;

  async function create(): Promise<Row> {
    count += 1;
    const answer = await fetch(`${apis[count % apis.length]}/v1/deposit-addresses`, {
      method: "POST",
      headers: { "x-api-key": merchant.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ amount: "2", orderRef: `shop-${count}` }),
    });
    const { data, error } = (await answer.json()) as Row;
    if (answer.status !== 201) throw new Error(`${answer.status} ${error?.code}`);
    return data;
  }

  async function pay({ id, address }: Row): Promise<void> {
    const token = await stack.payer.contract().at(stack.devchain.usdtContract);
    await token.transfer(address, "2000000").send({ feeLimit: 100_000_000 });
    paid.push(id);
  }

  async function createOnAndOn(): Promise<void> {
    while (!isClosing) {
      const fromMs = performance.now();
      try {
        const order = await create();
        const atMs = performance.now();
        made.push({ order, atMs, tookMs: atMs - fromMs });
        if (made.length % PAID_EVERY === 0) payments.push(pay(order));
      } catch (error) {
        const code = error instanceof Error ? (causeOf(error) ?? error.message) : String(error);
        codes[code] = (codes[code] ?? 0) + 1;
        await sleep(REFUSED_PAUSE_MS);
      }
    }
  }

  const creators = Array.from({ length: CREATORS }, createOnAndOn);
  return {
    made,
    paid,
    codes,
    close: async () => {
      isClosing = true;
      await Promise.all(creators);
      await Promise.all(payments);
    },
  };
}

function causeOf({ cause }: Error): string | undefined {
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}
