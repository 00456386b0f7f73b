import { NodeError } from "@daric/chain/blocks/node-error";
import type { TransactionInfo } from "@daric/chain/blocks/parse-transaction-info";
import type { Charge } from "@daric/charges/charge";
import type { Scanner } from "@daric/deposits/follow/scanner";
import { listDeposits } from "@daric/deposits/list-store";
import type { Currency } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type Database, sql } from "@daric/postgres/sql";
import { addressToHex } from "@daric/tron/address";
import { aMerchant } from "./builders.ts";
import { aCharge } from "./charge-builders.ts";
import { createTestContext, type TestContext } from "./context.ts";
import type { ForkChain } from "./fork-chain.ts";
import { type ForkRuns, type RunReader, startForkRuns } from "./fork-runs.ts";
import { alarms, aScanner, listening, nodeGroup, scanToRest } from "./watch.ts";

/** The blocks of eleven and a half minutes. */
const LONG = 230;
const OUTSIDE = `41${"77".repeat(20)}`;

/** A quorum of two of three nodes. */
export const TWO_OF_THREE = {
  TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
  TRON_QUORUM: "2",
} as const;

/** A chain with contract runs, a merchant, and one watcher that keeps its state between polls. */
export type SecondReading = {
  readonly context: TestContext & { readonly owner: Database };
  readonly merchantId: MerchantId;
  readonly chain: ForkChain;
  readonly runs: ForkRuns;
  readonly startMs: number;
  readonly scanner: Scanner;
  /** warnings and errors of the watcher */
  readonly lines: Record<string, unknown>[];
  /** as many honest nodes as are configured */
  readonly honest: readonly RunReader[];
  aReceive(currency?: Currency): Promise<Charge>;
  /** polls these nodes until there is nothing new; honest ones by default */
  poll(...nodes: readonly RunReader[]): Promise<void>;
  /** mines this many blocks, then polls */
  pollAfter(blocks: number, ...nodes: readonly RunReader[]): Promise<void>;
  /** moves every clock by eleven minutes and polls, after which unconfirmed deposits are STUCK */
  pollMuchLater(...nodes: readonly RunReader[]): Promise<void>;
  /** mines the queue and returns the block's number */
  mined(): Promise<number>;
  /** changes quorum or the rule for unproven transfers */
  decide(change: Partial<Pick<TestContext["config"]["deposits"], "quorum" | "unproven">>): void;
  /** amount, status and reason of each deposit, by block and position */
  facts(): Promise<string[]>;
  /** the checks of each deposit */
  checks(): Promise<string[]>;
  /** all events in order */
  events(): Promise<{ id: string; type: string }[]>;
  alarms(): Promise<Record<string, number>>;
  close(): Promise<void>;
};

export async function startSecondReading(settings: Record<string, string> = {}): Promise<SecondReading> {
  const made = await createTestContext(settings);
  const { context, lines } = listening(made);
  const { id: merchantId } = await aMerchant(context.db);
  const { chain, runs, startMs } = startForkRuns();
  const count = settings.TRON_NODE_URLS?.split(",").length ?? 1;
  const honest = Array.from({ length: count }, () => runs.reader);
  const scanner = await aScanner(context, nodeGroup(...honest));
  let now: TestContext = context;
  const poll = (...nodes: readonly RunReader[]) => {
    const client = nodeGroup(...(nodes.length === 0 ? honest : nodes));
    return scanToRest(now, Object.assign(scanner, { client }));
  };
  await poll();
  return {
    ...{ context, merchantId, chain, runs, startMs, scanner, lines, honest, poll },
    aReceive: (currency = "USDT") => aCharge(context.db, { merchantId, kind: "receive", currency }),
    pollAfter: (blocks, ...nodes) => {
      chain.mine(blocks);
      return poll(...nodes);
    },
    pollMuchLater: async (...nodes) => {
      await made.owner.query(sql`update deposits set detected_at = detected_at - interval '11 minutes'`);
      chain.mine(LONG);
      await poll(...nodes);
    },
    mined: async () => {
      chain.mine(1);
      return (await chain.reader.getHeadBlock()).number;
    },
    decide: (change) => {
      const { config } = now;
      now = { ...now, config: { ...config, deposits: { ...config.deposits, ...change } } };
    },
    facts: async () => {
      const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
      const inOrder = rows.toSorted(
        (a, b) => a.blockNumber - b.blockNumber || a.eventIndex - b.eventIndex || Number(a.amount - b.amount),
      );
      return inOrder.map(({ amount, status, stuckReason }) =>
        [amount, status, ...(stuckReason === null ? [] : [stuckReason])].join(" "),
      );
    },
    checks: async () => {
      const rows = await context.db.query<{ state: string }>(sql`
        select concat(c.name, ' ', c.result, ': ', c.detail) as state
        from deposit_checks c join deposits d on d.merchant_id = c.merchant_id and d.id = c.deposit_id
        where c.merchant_id = ${merchantId} and c.name <> 'solidity'
        order by d.block_number, d.event_index, c.name`);
      return rows.map(({ state }) => state);
    },
    events: () =>
      context.db.query<{ id: string; type: string }>(sql`
        select id, type from webhook_events where merchant_id = ${merchantId} order by sequence, id`),
    alarms: () => alarms(context),
    close: () => made.close(),
  };
}

/** A node that serves no blocks; as the leader it still returns the head. */
export function away(reader: RunReader): RunReader {
  const refuse = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  return { ...reader, ...{ getHeader: refuse }, fetchCompleteBlock: refuse };
}

/** A node that fails every n-th call for a block. */
export function failingEach(calls: number, reader: RunReader): RunReader {
  let count = 0;
  return {
    ...reader,
    fetchCompleteBlock: (...requested) => {
      count += 1;
      const failure = new NodeError("fails", { fault: "http_status", node: "node" });
      return count % calls === 0 ? Promise.reject(failure) : reader.fetchCompleteBlock(...requested);
    },
  };
}

/** A node that records the requested blocks. */
export function counting(reader: RunReader): { reader: RunReader; requested: number[] } {
  const requested: number[] = [];
  const fetchCompleteBlock: RunReader["fetchCompleteBlock"] = (number, ...parent) => {
    requested.push(number);
    return reader.fetchCompleteBlock(number, ...parent);
  };
  return { reader: { ...reader, fetchCompleteBlock }, requested };
}

/** A node that alters every transaction info. */
export function altering(reader: RunReader, alter: (info: TransactionInfo) => TransactionInfo): RunReader {
  return {
    ...reader,
    fetchCompleteBlock: async (...requested) => {
      const block = await reader.fetchCompleteBlock(...requested);
      return { ...block, infos: block.infos.map(alter) };
    },
  };
}

/** A node that does not store internal transactions. Its state has what they moved. */
export function withoutInternals(reader: RunReader): RunReader {
  return altering(reader, (info) => ({ ...info, internals: [], internalCount: 0 }));
}

/** A node that reports an internal TRX transfer, and the resulting balance. */
export function sending(
  reader: RunReader,
  txId: string,
  sent: readonly { readonly to: string; readonly sun: bigint }[],
): RunReader {
  const internals = sent.map(({ to, sun }, index) => {
    const values = [{ assetId: undefined, rawValue: sun }];
    return { index, fromHex: OUTSIDE, toHex: addressToHex(to), values };
  });
  const run = { internals, internalCount: internals.length };
  const node = altering(reader, (info) => (info.txId === txId ? { ...info, ...run } : info));
  const holds = (address: string) =>
    sent.reduce((sum, { to, sun }) => (to === address ? sum + sun : sum), 0n);
  return {
    ...node,
    getSolidBalance: async (address, token) =>
      (await reader.getSolidBalance(address, token)) + (token === undefined ? holds(address) : 0n),
  };
}
