import { setTimeout as sleep } from "node:timers/promises";
import { readSettings, type Variables, variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { OWN_KEY_NAME } from "./init-shop.ts";
import type { RunForService } from "./terminal.ts";
import { faultOfPage } from "./try-base-url.ts";

const READY_MS = 60_000;
const PAUSE_MS = 250;
const ANSWER_MS = 10_000;
const ORDER = { amount: "1", currency: "USDT", orderRef: "first-order" };

/** An order as the API answers. */
export type FirstOrder = {
  readonly id: string;
  readonly address: string;
  readonly status: string;
  /** absent in an order that was just made */
  readonly payment_status?: string;
  readonly checkout_url: string | null;
};

/** The API of this machine; undefined if its port is chosen at the start. */
export function localApi(variables: Variables): string | undefined {
  const { http } = readSettings(variables, ["http.host", "http.port"]);
  const host = http.host === "0.0.0.0" ? "127.0.0.1" : http.host === "::" ? "::1" : http.host;
  return http.port === 0 ? undefined : `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
}

/** Whether a service listens at this URL. */
export async function isServing(api: string): Promise<boolean> {
  return fetch(`${api}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Waits at most a minute until the service is ready.
 *
 * @throws CommandError with the checks that fail.
 */
export async function awaitReady(api: string): Promise<void> {
  let last = "it does not answer";
  for (const endMs = performance.now() + READY_MS; performance.now() < endMs; await sleep(PAUSE_MS)) {
    try {
      const response = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
      if (response.ok) return;
      last = await response.text();
    } catch {
      // The service does not listen yet.
    }
  }
  throw new CommandError(`the service is not ready after ${READY_MS / 1_000} s: ${last.slice(0, 500)}`);
}

/**
 * The first order of a merchant: an open or paid one, or else a new one. The request uses an API key of its own,
 * which is revoked afterwards.
 *
 * @throws CommandError if the service refuses it.
 */
export async function openFirstOrder(
  api: string,
  merchantId: string,
  run: RunForService,
): Promise<FirstOrder> {
  const { id, key } = await run<{ id: string; key: string }>([
    ...["key", "create", "--merchant", merchantId, "--name", OWN_KEY_NAME],
    ...["--scopes", "charges:read,charges:write", "--expires-in", "10m"],
  ]);
  try {
    const orders = `${api}/v1/deposit-addresses`;
    const [newest] = await ask<FirstOrder[]>(`${orders}?orderRef=${ORDER.orderRef}`, { key });
    // The list has no payment status, so the order is read by its id.
    const known = newest && (await ask<FirstOrder>(`${orders}/${newest.id}`, { key }));
    if (known?.status === "ACTIVE" || known?.payment_status === "paid") return known;
    return await ask<FirstOrder>(orders, { key, body: JSON.stringify(ORDER) });
  } finally {
    await run(["key", "revoke", id]);
  }
}

/** @throws CommandError with the remedy if payers cannot open the page. */
export async function requireOpenPage({ checkout_url: url }: FirstOrder): Promise<void> {
  const fault = url === null ? "it is not set" : await faultOfPage(url);
  if (fault !== undefined)
    throw new CommandError(
      `payers cannot open the page of ${variableOf("http.publicBaseUrl")}: ${fault}; then run this again`,
    );
}

async function ask<T>(url: string, { key, body }: { key: string; body?: string }): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = (await response.json()) as { data: T; message?: string; error?: { code?: string } };
  if (response.ok) return answer.data;
  const hint = response.status === 401 ? "; another service may listen there" : "";
  throw new CommandError(
    `the first order was refused by ${new URL(url).origin}: ${answer.error?.code} ${answer.message}${hint}`,
  );
}
