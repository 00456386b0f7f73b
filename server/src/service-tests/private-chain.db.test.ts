import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listDeposits } from "../deposits/list-store.ts";
import { type Service, serve } from "../main.ts";

/** Blocks come three seconds apart, and none may be of the future: so long ago the chain begins. */
const CHAIN_BEGAN_MS = 180_000;

let chain: TestDevchain;
let node: FaultyNode;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
const services: Service[] = [];

beforeEach(async () => {
  const startMs = Date.now() - CHAIN_BEGAN_MS;
  chain = await aDevchain({ now: () => startMs });
  node = await startFaultyNode(chain.url);
  // A java-tron serves nothing there.
  node.fail(({ path }) => (path.startsWith("/devchain/") ? { status: 404, body: "<html>" } : undefined));
  database = await createTestDatabase();
  await chain.mine(25);
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await database.drop();
  await node.stop();
  await chain.stop();
});

const environment = (overrides: Record<string, string> = {}) =>
  testEnvironment({
    DATABASE_URL: database.url,
    METRICS_PORT: "0",
    TRON_NETWORK: "private",
    TRON_NODE_URLS: node.url,
    TRON_GENESIS_ID: chain.genesisId,
    USDT_CONTRACT: addressToHex(chain.usdtContract),
    TRON_POLL_MS: "50",
    ...overrides,
  });

async function watch(overrides: Record<string, string> = {}): Promise<Service> {
  const service = await serve({ role: "watcher", env: environment(overrides) });
  services.push(service);
  return service;
}

it("a private chain is followed by its genesis and its USDT contract: an order on it is paid", async () => {
  const { metricsUrl } = await watch();
  await expect.poll(async () => (await fetch(`${metricsUrl}/readyz`)).status).toBe(200);
  const { id: merchantId } = await aMerchant(database.db);
  const { address } = await aCharge(database.db, { merchantId, amount: "25" });
  await chain.control("faucet", { address, usdt: "25" });
  await chain.mine(20);
  await expect
    .poll(async () => (await listDeposits(database.db, { merchantId }, { limit: 1, offset: 0 })).rows, {
      // One node alone is asked again half a minute later.
      timeout: 80_000,
    })
    .toMatchObject([{ status: "CONFIRMED", currency: "USDT" }]);
  expect(node.calls.filter(({ path }) => path.startsWith("/devchain/"))).toEqual([]);
}, 100_000);

it("a private chain with another genesis than the named one stops the start", async () => {
  const other = `${"0".repeat(16)}${"d".repeat(48)}`;
  await expect(watch({ TRON_GENESIS_ID: other })).rejects.toThrow(/wrong chain: .*is not a node of private/);
});
