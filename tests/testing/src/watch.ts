import { Writable } from "node:stream";
import { createOwnerFinder } from "@daric/addresses/owner-finder";
import type { ChainReader, NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import { groupNodes } from "@daric/chain/nodes/client";
import { type Network, publicNetworks } from "@daric/chain/nodes/networks";
import { findCursor } from "@daric/deposits/block-store";
import { scanChain } from "@daric/deposits/follow/scan-chain";
import { createFollowState, type Scanner } from "@daric/deposits/follow/scanner";
import { createRefundWatch } from "@daric/refunds/watch";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { acquireLease } from "@daric/runtime/lease";
import { createLogger } from "@daric/runtime/logger";
import type { Context } from "@daric/server/process/context";
import type { TestContext } from "./context.ts";

const MAX_STEPS = 500;

/** A guard against restored databases that accepts every database. */
const unguarded = { require: async () => undefined };

export type TestReader = ChainReader & Partial<TronNode>;

/** Acquires the lease to watch a chain, under this name. */
export async function aScanner(
  context: Context,
  reader: TestReader | NodeGroup,
  options: { network?: Network; holder?: string } = {},
): Promise<Scanner> {
  const { network = { ...publicNetworks.nile, name: "devnet" }, holder = "test" } = options;
  const lease = await acquireLease(context.db, { name: "watcher:devnet", holder, ttlMs: 60_000 });
  if (lease === undefined) throw new Error("the lease is taken");
  const client = "query" in reader ? reader : nodeGroup(reader);
  return {
    client,
    network,
    lease,
    guard: unguarded,
    owners: createOwnerFinder(context),
    refunds: createRefundWatch(),
    following: createFollowState(context),
    afterCommit: () => {},
    afterBlocks: () => {},
  };
}

/** A client of these nodes with failover. */
export function nodeGroup(...readers: readonly TestReader[]): NodeGroup {
  const nodes = readers.map((reader, index) => ({
    // A new test chain has no earlier payments.
    hasHistory: async () => false,
    getHeader: async (number: number) => (await reader.getBlock(number))?.header,
    getSolidBalance: () => Promise.reject(new Error("no balance is requested")),
    getResourcePrices: () => Promise.reject(new Error("no price is requested")),
    findRun: () => Promise.reject(new Error("no transaction is requested")),
    call: () => Promise.reject(new Error("no other call is made")),
    ...reader,
    // A node that lies about a block lies at every request.
    getTransactionInfos: async (number: number) => [...(await reader.fetchCompleteBlock(number)).infos],
    label: `node ${index + 1}`,
    solidityFault: undefined,
  }));
  return groupNodes(nodes, { now: () => performance.now(), onFailure: () => {}, keepsTime: false });
}

/** Polls until there is nothing new. A single poll does not suffice, because the watcher pauses after a fork. */
export async function scanToRest(context: TestContext, scanner: Scanner): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const before = await findCursor(context.db, scanner.network.name);
    const isMoreWaiting = await scanChain(context, scanner);
    const after = await findCursor(context.db, scanner.network.name);
    if (!isMoreWaiting && after?.blockId === before?.blockId) return;
  }
  throw new Error("the watcher still finds new blocks");
}

/** The same context with captured warnings and errors. */
export function listening<C extends TestContext>(
  context: C,
): { context: C; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = createLogger({ level: "warn", role: "test", destination });
  const databaseOutage = createDatabaseOutage({ log, clock: context.clock, ping: async () => {} });
  return { context: { ...context, log, databaseOutage }, lines };
}

/** The count of each alarm that was raised. */
export async function alarms(context: TestContext): Promise<Record<string, number>> {
  const { values } = await context.metrics.alarms.get();
  const raised = values.filter(({ value }) => value > 0);
  return Object.fromEntries(raised.map(({ labels, value }) => [String(labels.alarm), value]));
}
