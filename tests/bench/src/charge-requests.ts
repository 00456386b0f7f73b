import { type Done, type Extent, type Generator, openGenerator, type Request, request } from "./generator.ts";
import type { Contestant } from "./harness.ts";
import type { Program } from "./programs.ts";
import type { StagedMerchant } from "./stage.ts";

export const UNCAPPED = ["--active-address-cap", "1000000000"];

export type Created = { readonly id: string; readonly token: string; readonly address: string };

/** The price of an order, in USDT. */
export const ORDER_AMOUNT = "25.5";

let references = 0;

export function createRequest(
  { apiKey }: StagedMerchant,
  onAnswer?: (body: string) => void,
  pricing: { readonly pricingCurrency?: string } = {},
): Request {
  references += 1;
  const body = { amount: ORDER_AMOUNT, orderRef: `A-${references}`, ...pricing };
  const bytes = request("POST /v1/deposit-addresses", { headers: { "x-api-key": apiKey }, body });
  return { bytes, expected: 201, ...(onAnswer && { onAnswer }) };
}

export function getRequest(path: string, merchant?: StagedMerchant): Request {
  const headers: Record<string, string> = merchant ? { "x-api-key": merchant.apiKey } : {};
  return { bytes: request(`GET ${path}`, { headers }), expected: 200 };
}

/** Creates orders through the service; returns them in any order. */
export async function createOrders(
  generator: Generator,
  merchant: StagedMerchant,
  count: number,
): Promise<Created[]> {
  const orders: Created[] = [];
  const keep = (body: string): void => {
    const { id, checkout_token: token, address } = JSON.parse(body).data;
    orders.push({ id, token, address });
  };
  await generator.run(() => createRequest(merchant, keep), { count });
  return orders;
}

/** Returns a function that gives the items in turn, again and again. */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => {
    const item = items[next % items.length];
    next += 1;
    if (item === undefined) throw new Error("there is nothing to take in turn");
    return item;
  };
}

/**
 * A contestant with this many connections. A run opens them, and opens those again that the server closed while
 * idle.
 */
export function chargeBody(
  name: string,
  { pid, port }: Program,
  { connections, next }: { connections: number; next: () => Request },
): Contestant {
  let generator: Generator | undefined;
  const run = async (extent: Extent): Promise<Done> => {
    if (!generator?.isOpen()) generator = await openGenerator(port, connections);
    return generator.run(next, extent);
  };
  return { name, pid, run };
}
