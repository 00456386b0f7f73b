import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addressToBase58 } from "@daric/tron/address";

type Chain = { readonly devchain: { readonly url: string } };

/** The number of simultaneous payments. */
const AT_ONCE = 8;

/** Calls the chain's control API. @throws Error with its answer when it refuses */
export async function control<T>({ devchain }: Chain, name: string, body: object): Promise<T> {
  const answer = await fetch(`${devchain.url}/devchain/${name}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`devchain ${name}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Sends each of these addresses USDT in the next block: by default a little, which pays no order. */
export async function pay(chain: Chain, addresses: readonly string[], usdt = "0.01"): Promise<void> {
  const left = addresses.values();
  const payInTurn = async (): Promise<void> => {
    for (const address of left) await control(chain, "faucet", { address, usdt });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, payInTurn));
}

/** A foreign address. */
export function otherAddressOf(): string {
  return addressToBase58(`41${randomBytes(20).toString("hex")}`);
}

/** Receives webhooks and knows when the first one with a given text arrived. */
export type EventReceiver = {
  readonly url: string;
  /** resolves with the monotonic time of arrival */
  awaitText(text: string): Promise<number>;
  stop(): Promise<void>;
};

type Webhook = { readonly text: string; readonly atMs: number };

export async function startEventReceiver(): Promise<EventReceiver> {
  // Each webhook has one caller that waits for it. A found one is dropped, so that the search stays fast.
  const unclaimed: Webhook[] = [];
  const waiting = new Map<string, (atMs: number) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const webhook = { text: Buffer.concat(chunks).toString("utf8"), atMs: performance.now() };
      response.end();
      const awaited = [...waiting.keys()].find((text) => webhook.text.includes(text));
      if (awaited === undefined) return unclaimed.push(webhook);
      waiting.get(awaited)?.(webhook.atMs);
      return waiting.delete(awaited);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    awaitText: (text) =>
      new Promise((resolve) => {
        const index = unclaimed.findIndex((webhook) => webhook.text.includes(text));
        if (index < 0) return waiting.set(text, resolve);
        const [found] = unclaimed.splice(index, 1);
        return found && resolve(found.atMs);
      }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
