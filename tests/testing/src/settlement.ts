import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { contractOf } from "@daric/chain/nodes/networks";
import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { acquireLease } from "@daric/runtime/lease";
import { createTurn } from "@daric/settlement/worker/turn";
import { createWatch } from "@daric/settlement/worker/watch";
import type { Destination } from "../../../apps/signer/src/destinations.ts";
import { signRequest } from "../../../apps/signer/src/sign-request.ts";
import { findPending, saveDestination, saveOutcome, saveState } from "../../../apps/signer/src/store.ts";
import { anEntry, aSigner, aToken, gasAddress, type TestSigner } from "../../../apps/signer/test/builders.ts";
import { aMerchant, anAddress, aSettlementAccount } from "./builders.ts";
import { aCharge, type ChargeOverrides } from "./charge-builders.ts";
import type { TestDatabase } from "./database.ts";
import { type Ledger, openLedger } from "./ledger.ts";

const MAX_ROUNDS = 60;
const BLOCKS_A_ROUND = 8;
/** The test approves entries 10 s in the past, because the signer waits 5 s after it first reads an entry. */
const APPROVED_MS = 10_000;
/** The signer's limits of a day suffice for all tests of a file. */
const LIMITS = { feeLimitSun: 30_000_000n, topUpSun: 20_000_000n, gasPerDaySun: 10_000_000_000n };

/** The steps of settlement on one database. */
export type SettlementSteps = {
  /** the signer answers all waiting requests */
  sign(): Promise<void>;
  /** one round of the settlement role */
  turn(): Promise<void>;
  /** repeats a round of the signer, of settlement and of the watcher, with a block, until `isDone` */
  settleUntil(isDone: () => Promise<boolean>): Promise<void>;
  /** settles until no sweep is open and no address has enough money for a plan */
  settleAll(): Promise<void>;
  /** what delays settlement, by the last round that planned */
  faults(): readonly string[];
  /** continues as a process that has just started */
  restart(): void;
};

/**
 * A chain, its ledger, a merchant with a wallet, and a signer whose list names the wallet. Each advances on the
 * test's command only.
 */
export type SettlementStage = Ledger &
  SettlementSteps & {
    readonly signer: TestSigner;
    readonly wallet: string;
    readonly operatorWallet: string;
    /** another merchant of the signer's list */
    readonly other: { readonly merchantId: MerchantId; readonly wallet: string };
    /** adds a wallet to the operator's list; it takes effect at once, and the service knows it */
    approve(merchantId: MerchantId | "operator", changes: Partial<Destination>): Promise<void>;
    /** settles another database of the same service, with the same chain and signer */
    over(database: Pick<TestDatabase, "db" | "owner">): Promise<SettlementSteps>;
    /** pays a new order, and mines until it is confirmed */
    paid(amounts: { usdt?: string; trx?: string }, charge?: Partial<ChargeOverrides>): Promise<Charge>;
    /** sets whether the nodes accept broadcasts */
    takeBroadcasts(isTaking: boolean): void;
    /** the nodes that settlement queries; the watcher follows the first */
    readonly nodeUrls: readonly string[];
    usdtOf(address: string): Promise<bigint>;
    trxOf(address: string): Promise<bigint>;
  };

type StageOptions = {
  readonly environment?: Record<string, string>;
  readonly gasTrx?: string;
  /** no signer runs on the database: files are signed elsewhere */
  readonly isOffline?: boolean;
  readonly feeCeiling?: { readonly USDT: bigint; readonly TRX: bigint };
  /** how many nodes of the chain settlement queries */
  readonly nodes?: number;
};

/** Opens a stage with a funded gas wallet, and with rates of 1 USD for USDT and 0.3 USD for TRX. */
export async function openSettlement({
  environment = {},
  gasTrx = "10000",
  isOffline = false,
  feeCeiling = { USDT: 1_000_000_000n, TRX: 1_000_000_000n },
  nodes: nodeCount = 1,
}: StageOptions = {}): Promise<SettlementStage> {
  const ledger = await openLedger(environment);
  const { chain, context, merchantId, close } = ledger;
  const { genesisId } = chain.network;
  const usdtContract = contractOf(chain.network, "USDT") ?? "";
  const [wallet, operatorWallet] = [anAddress(), anAddress()];
  await aSettlementAccount(context.db, merchantId, { address: wallet });
  const other = { merchantId: (await aMerchant(context.db)).id, wallet: anAddress() };
  await aSettlementAccount(context.db, other.merchantId, { address: other.wallet });
  const { STAKE_ADDRESS: stakeAddress } = environment;
  const signer = await aSigner({
    config: {
      network: "devnet",
      genesisId,
      tokens: { USDT: aToken(usdtContract) },
      stakeAddress,
      limits: LIMITS,
    },
    integrityKey: context.config.integrity.key,
    entries: [
      anEntry(merchantId, { address: wallet, feeCeiling }),
      anEntry(other.merchantId, { address: other.wallet, feeCeiling }),
      anEntry("operator", { address: operatorWallet }),
    ],
  });
  signer.clock = () => Date.now();
  const reportDestinations = async () => {
    for (const entry of signer.list.entries) {
      const times = signer.journal.entryTimes.get(entry.counter);
      if (times !== undefined) await saveDestination(context.owner, entry, times);
    }
  };
  if (!isOffline) await reportDestinations();
  if (!isOffline) await saveState(context.owner, { gasAddress });
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values ('USDT', now(), 100000000, 'test', now()), ('TRX', now(), 30000000, 'test', now())`);
  await chain.pay(gasAddress, { trx: gasTrx });
  await chain.pay(wallet, { trx: "1" });
  await chain.mine(22);
  await chain.scan(context);
  let isTaking = true;
  const urls = [chain.devchain.url];
  while (urls.length < nodeCount) urls.push((await chain.devchain.addNode()).url);
  const client = createTronClient({ nodes: urls.map((url) => ({ url })), tokens: chain.network.tokens });
  const nodes = client.nodes.map((node) => withBroadcasts(node, () => isTaking));
  const hands = { chain: { ...chain, client: { ...chain.client, nodes } }, signer };
  const settle = await settleOver(context, hands);
  return {
    ...ledger,
    ...settle,
    signer,
    wallet,
    operatorWallet,
    other,
    approve: async (of, changes) => {
      signer.clock = () => Date.now() - APPROVED_MS;
      signer.rewriteList([...signer.list.entries, anEntry(of, changes)]);
      signer.clock = () => Date.now();
      await reportDestinations();
    },
    over: (restored) => settleOver({ ...context, ...restored }, hands),
    paid: async (amounts, charge = {}) => {
      const currency = amounts.usdt === undefined ? "TRX" : "USDT";
      const made = await aCharge(context.db, {
        merchantId,
        currency,
        amount: amounts.usdt ?? amounts.trx ?? "1",
        ...charge,
      });
      await chain.pay(made.address, amounts);
      await chain.mine(22);
      await chain.scan(context);
      return made;
    },
    takeBroadcasts: (isNow) => {
      isTaking = isNow;
    },
    usdtOf: (address) => chain.client.getSolidBalance(address, usdtContract),
    trxOf: (address) => chain.client.getSolidBalance(address, undefined),
    nodeUrls: urls,
    close: async () => {
      await client.close();
      await close();
    },
  };
}

/** Settles a database step by step, with a chain and a signer that other databases may share. */
async function settleOver(
  context: Ledger["context"],
  { chain, signer }: { chain: Ledger["chain"]; signer: TestSigner },
): Promise<SettlementSteps> {
  const lease = await acquireLease(context.db, { name: "settlement:devnet", holder: "test", ttlMs: 600_000 });
  if (lease === undefined) throw new Error("the lease is taken");
  let watch = createWatch(context);
  const newTurn = () => createTurn(context, { ...chain, watch, planEveryMs: 0 });
  let turnOf = newTurn();
  const sign = async () => {
    for (const request of await findPending(context.owner, 0, 100))
      await saveOutcome(context.owner, request.id, signRequest(signer, request));
  };
  const turn = async () => {
    await turnOf.take(lease, { hasSigner: true });
  };
  const settleUntil = async (isDone: () => Promise<boolean>) => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await turn();
      await sign();
      await chain.mine(BLOCKS_A_ROUND);
      await chain.scan(context);
      if (await isDone()) return;
    }
    const open = await context.owner.query<{ line: string }>(
      sql`select concat_ws(' ', status, reason, currency, units, attempts) as line from sweeps`,
    );
    throw new Error(`settlement does not end: ${open.map(({ line }) => line).join("; ")}`);
  };
  const isQuiet = async () => {
    const [row] = await context.owner.query<{ open: bigint; unbooked: bigint }>(sql`
      select (select count(*) from sweeps where status not in ('RECLAIMED', 'DROPPED', 'WAITING', 'FROZEN'))
        + (select count(*) from address_contents c where units > 100000 and not exists (
            select from sweeps s where s.deposit_address_id = c.deposit_address_id and s.status in ('WAITING', 'FROZEN')))
        as open, (
          select count(*) from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null
          where not own.is_booked) + (
          select count(*) from sweep_transactions where outcome = 'landed' and fee_units is null) as unbooked`);
    return row?.open === 0n && row.unbooked === 0n;
  };
  return {
    sign,
    turn,
    settleUntil,
    settleAll: () => settleUntil(isQuiet),
    faults: () => watch.faults(),
    restart: () => {
      watch = createWatch(context);
      turnOf = newTurn();
    },
  };
}

/** A node that ignores broadcasts while `isTaking` is false. */
function withBroadcasts(node: TronNode, isTaking: () => boolean): TronNode {
  const call: TronNode["call"] = (path, params, parse) =>
    path === "/wallet/broadcasthex" && !isTaking()
      ? Promise.reject(new NodeError("is deaf", { fault: "timeout", node: node.label }))
      : node.call(path, params, parse);
  return new Proxy(node, {
    get: (target, name) => {
      const value = name === "call" ? call : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
