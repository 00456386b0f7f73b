import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { publicNetworks } from "@daric/chain/nodes/networks";
import { acquireLease } from "@daric/runtime/lease";
import { findLease } from "@daric/runtime/lease-store";
import { createTestContext } from "@daric/testing/context";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SettlementWorker, startSettlementWorker } from "./worker.ts";

const LEASE = "settlement:devnet";
const network = { ...publicNetworks.nile, name: "devnet" } as const;
/** Without a signer no node is asked before a gas wallet exists. */
const client = {} as TronClient;

let context: Awaited<ReturnType<typeof createTestContext>>;
let worker: SettlementWorker | undefined;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(async () => {
  await worker?.stop();
  await context.close();
});

const lease = () => findLease(context.db, LEASE);

describe("without a signer", () => {
  it("the lease is free between two passes, so that nothing renews it", async () => {
    worker = startSettlementWorker(context, { client, network });
    await expect.poll(lease, { timeout: 10_000 }).toMatchObject({ isFree: true, epoch: 1n });
  });

  it("the lease of a process that died in a pass is taken over", async () => {
    await acquireLease(context.db, { name: LEASE, holder: "dead", ttlMs: 3_500 });
    worker = startSettlementWorker(context, { client, network });
    await expect.poll(lease, { timeout: 15_000 }).toMatchObject({ isFree: true, epoch: 2n });
  }, 20_000);
});
