import { setTimeout as sleep } from "node:timers/promises";
import type { TestDevchain } from "@daric/testing/devchain-client";

/** The time between two creates: twenty a second. */
const EVERY_MS = 50;
const PAID_EVERY = 10;
const AMOUNT = "2";

/** A shop that creates orders twenty times a second and reads each again, and payers who pay some. */
export type Traffic = {
  readonly failed: readonly string[];
  readonly paid: ReadonlySet<string>;
  requests(): number;
  slowestMs(): number;
  /** Waits for the requests under way, and sends none until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
};

export function openTraffic(url: string, key: string, devchain: TestDevchain): Traffic {
  const failed: string[] = [];
  const paid = new Set<string>();
  const pending = new Set<Promise<void>>();
  let [count, slowest, isClosing, isPaused] = [0, 0, false, false];

  async function ask(
    path: string,
    init: RequestInit = {},
  ): Promise<{ id: string; address: string } | undefined> {
    count += 1;
    const startedMs = performance.now();
    try {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const answer = await fetch(`${url}/v1/deposit-addresses${path}`, { headers, ...init });
      const { data } = (await answer.json()) as { data: { id: string; address: string } };
      if (answer.ok) return data;
      failed.push(String(answer.status));
    } catch (error) {
      failed.push(String(error instanceof Error ? (error.cause ?? error) : error));
    } finally {
      slowest = Math.max(slowest, performance.now() - startedMs);
    }
    return undefined;
  }

  async function buy(turn: number): Promise<void> {
    const body = JSON.stringify({ amount: AMOUNT, orderRef: `during-${turn}` });
    const order = await ask("", { method: "POST", body });
    if (order === undefined) return;
    await ask(`/${order.id}`);
    if (turn % PAID_EVERY !== 0) return;
    await devchain.control("faucet", { address: order.address, usdt: AMOUNT });
    paid.add(order.id);
  }

  async function buyOnAndOn(): Promise<void> {
    for (let turn = 1; !isClosing; turn += 1) {
      if (!isPaused) {
        const bought = buy(turn).finally(() => pending.delete(bought));
        pending.add(bought);
      }
      await sleep(EVERY_MS);
    }
  }

  const buying = buyOnAndOn();
  return {
    failed,
    paid,
    requests: () => count,
    slowestMs: () => slowest,
    pause: async () => {
      isPaused = true;
      await Promise.all(pending);
    },
    resume: () => {
      isPaused = false;
    },
    close: async () => {
      isClosing = true;
      await buying;
      await Promise.all(pending);
    },
  };
}
