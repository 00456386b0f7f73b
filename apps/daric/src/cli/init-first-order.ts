import { setTimeout as sleep } from "node:timers/promises";
import { createAddressSource } from "@daric/addresses/address-source";
import type { NewCharge } from "@daric/charges/charge";
import { createCharge } from "@daric/charges/create/create-charge";
import { createChargeMemory } from "@daric/charges/create/write-charge";
import { listCharges } from "@daric/charges/list-charges";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { parseAmount } from "@daric/domain/money";
import type { Database } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { createAlarmMetrics } from "@daric/runtime/metrics";
import { getCheckoutKey, pingDatabase } from "../deployment/store.ts";
import { readSettings, type Variables } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { withDatabase } from "./with-database.ts";

const READY_MS = 60_000;
const PAUSE_MS = 250;
const ANSWER_MS = 10_000;
const AMOUNT = "1";
const REF = "first-order";

/** The first order, for its page. */
type FirstOrder = {
  readonly id: string;
  readonly address: string;
  readonly paymentStatus: string;
  readonly checkoutUrl: string | null;
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
 * The first order of a merchant: an open or paid one, or else a new one. It is written as the service writes one, and
 * needs no API key.
 *
 * @throws ApiError if the merchant can take no order.
 */
export function openFirstOrder(variables: Variables, merchant: string): Promise<FirstOrder> {
  const needed = ["integrity.key", "addresses.accountXpub", "http.publicBaseUrl"] as const;
  return withDatabase(variables, needed, async ({ db, config }) => {
    const merchantId = idOf("merchant", merchant);
    const { publicBaseUrl } = config.http;
    const filter = { merchantId, kind: "order", orderRef: REF } as const;
    const [newest] = (await listCharges(db, filter, { limit: 1, offset: 0 })).rows;
    const paymentStatus = newest && orderPaymentStatus(newest);
    if (newest?.status === "ACTIVE" || (newest && paymentStatus === "paid"))
      return firstOrderOf({ ...newest, paymentStatus }, publicBaseUrl);
    const context = contextOf(db, config);
    const source = createAddressSource(context);
    try {
      const checkoutKey = await getCheckoutKey(db);
      const writing = { ...createChargeMemory(db), addresses: source, checkoutKey, findRate: refuseRate };
      const made = await createCharge({ ...context, ...writing }, orderOf(merchantId));
      return firstOrderOf(made, publicBaseUrl);
    } finally {
      context.databaseOutage.stop();
      await source.stop();
    }
  });
}

/** The context of the address source, whose log the operator does not read. */
function contextOf<Config>(db: Database, config: Config) {
  const log = createLogger({ level: "silent", role: "init" });
  const databaseOutage = createDatabaseOutage({ log, clock: systemClock, ping: () => pingDatabase(db) });
  return { db, config, log, databaseOutage, clock: systemClock, metrics: createAlarmMetrics([]) };
}

type Written = Pick<NewCharge, "id" | "address" | "checkoutToken"> & {
  readonly paymentStatus?: string | undefined;
};

function firstOrderOf(
  { id, address, checkoutToken, paymentStatus }: Written,
  publicBaseUrl: string | undefined,
): FirstOrder {
  const checkoutUrl = publicBaseUrl === undefined ? null : `${publicBaseUrl}/c/${checkoutToken}`;
  return { id, address, checkoutUrl, paymentStatus: paymentStatus ?? "awaiting" };
}

function orderOf(merchantId: MerchantId): Parameters<typeof createCharge>[1] {
  const none = { fiatAmount: null, customerRef: null, label: null, successUrl: null, cancelUrl: null };
  const asDefault = { apiKeyId: null, settlementAccountId: null, metadata: null, fiatCurrency: null };
  return {
    merchantId,
    orderRef: REF,
    currency: "USDT",
    amount: parseAmount(AMOUNT) ?? null,
    ...none,
    ...asDefault,
  };
}

async function refuseRate(): Promise<never> {
  throw new ApiError("RATE_UNAVAILABLE");
}
