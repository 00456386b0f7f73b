import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { contractOf } from "@daric/chain/nodes/networks";
import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import type { StoredDeposit } from "./agree.ts";
import { type CheckedAddress, findRecordedBalances } from "./balance-store.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Reader } from "./verifier.ts";

/** Parallel calls; hosted nodes limit calls per second. */
const CALLS_AT_ONCE = 5;
/** The limit for one node; then the next one is called. */
const MAX_WAIT_MS = 3_000;
const MAX_ADDRESSES = 20;

type BalanceReader = Pick<Reader, "client" | "network">;
export type BalanceVerdict = { readonly isHeld: boolean; readonly detail: string };
type PaidAddress = CheckedAddress & { readonly blockNumber: number };
type Balances = { readonly height: number; readonly units: readonly bigint[] };

/** `isComplete`: whether there is a verdict about each deposit. */
export type BalanceVerdicts = {
  /** undefined without an answer, or while the node's solid block is below the deposit */
  readonly verdictOf: (deposit: PaidAddress) => BalanceVerdict | undefined;
  readonly isComplete: boolean;
};

function balanceKey({ address, currency }: Pick<CheckedAddress, "address" | "currency">): string {
  return `${address}/${currency}`;
}

/**
 * Checks that addresses hold the credited money: solid balance plus outflows up to that height must not be lower. Deposits without
 * a verdict are to be checked again at the next solid block.
 */
export async function checkBalances(
  context: Pick<WatcherContext, "db">,
  reader: BalanceReader,
  deposits: readonly PaidAddress[],
): Promise<BalanceVerdicts> {
  const addresses = [...new Map(deposits.map((deposit) => [balanceKey(deposit), deposit])).values()];
  const queried = addresses.slice(0, MAX_ADDRESSES);
  const balances = queried.length === 0 ? undefined : await fetchBalances(reader, queried);
  const verdicts = balances && (await compareWithBooks(context, reader, { queried, balances }));
  const verdictOf = (deposit: PaidAddress) =>
    deposit.blockNumber <= (balances?.height ?? 0) ? verdicts?.get(balanceKey(deposit)) : undefined;
  return { verdictOf, isComplete: deposits.every((deposit) => verdictOf(deposit) !== undefined) };
}

async function compareWithBooks(
  { db }: Pick<WatcherContext, "db">,
  { network }: BalanceReader,
  { queried, balances: { height, units } }: { queried: readonly CheckedAddress[]; balances: Balances },
): Promise<ReadonlyMap<string, BalanceVerdict>> {
  const recorded = await findRecordedBalances(db, { network: network.name, to: height, addresses: queried });
  return new Map(
    queried.flatMap((checked, at): [string, BalanceVerdict][] => {
      const [held, own] = [units[at], recorded.get(checked)];
      if (held === undefined || own === undefined) return [];
      const detail = `${checked.address} holds ${held} units of ${checked.currency} in solid block ${height}, ${own.left} left it, ${own.credited} were credited`;
      return [[balanceKey(checked), { isHeld: held + own.left >= own.credited, detail }]];
    }),
  );
}

/** One node's balances as of its solid block; undefined if no node answers in time. */
async function fetchBalances(
  { client, network }: BalanceReader,
  addresses: readonly CheckedAddress[],
): Promise<Balances | undefined> {
  const tokenOf = ({ currency }: CheckedAddress) => contractOf(network, currency);
  const read = async (node: TronNode) => {
    const { number: height } = await node.getSolidBlock();
    const units: bigint[] = [];
    while (units.length < addresses.length) {
      const some = addresses.slice(units.length, units.length + CALLS_AT_ONCE);
      units.push(
        ...(await Promise.all(
          some.map((checked) => node.getSolidBalance(checked.address, tokenOf(checked))),
        )),
      );
    }
    return { height, units };
  };
  const inTime = async (node: TronNode) => {
    const answer = await Promise.race([read(node), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    if (answer !== undefined) return answer;
    throw new NodeError("does not report balances in time", { fault: "timeout", node: node.label });
  };
  return client.query(inTime).catch((error: unknown) => {
    if (error instanceof NodeError) return undefined;
    throw error;
  });
}

/**
 * With a quorum of one, TRON_UNPROVEN decides about deposits that no root proves: they wait, their address must hold them, or the node
 * is trusted. In an overridden block these include native transfers. `isComplete`: whether each balance was compared.
 */
export async function addBalances(
  context: Pick<WatcherContext, "config" | "db">,
  reader: BalanceReader,
  { blocks, needed }: { blocks: readonly VerifiedBlock[]; needed: number },
): Promise<{ readonly blocks: VerifiedBlock[]; readonly isComplete: boolean }> {
  const { unproven } = context.config.deposits;
  const unprovenIn = (block: VerifiedBlock) => findUnproven(block, needed);
  if (blocks.every((block) => unprovenIn(block).length === 0))
    return { blocks: [...blocks], isComplete: true };
  // The balance is compared with the books, so deposits that are not stored yet are checked in the next step.
  const isStored = ({ stored }: VerifiedBlock, { id, amount }: StoredDeposit) =>
    stored.some((deposit) => deposit.id === id && deposit.amount === amount);
  const paid = ({ block }: VerifiedBlock, deposit: StoredDeposit) => ({
    ...deposit,
    blockNumber: block.number,
  });
  const wanted = blocks.flatMap((block) =>
    unprovenIn(block)
      .filter((deposit) => isStored(block, deposit))
      .map((deposit) => paid(block, deposit)),
  );
  const { verdictOf, isComplete } = await checkBalances(
    context,
    reader,
    unproven === "balance" ? wanted : [],
  );
  const without: Readonly<Record<typeof unproven, BalanceVerdict>> = {
    hold: { isHeld: false, detail: HELD },
    balance: { isHeld: false, detail: UNKNOWN },
    trust: { isHeld: true, detail: "TRON_UNPROVEN=trust: the node is trusted" },
  };
  const checked = blocks.map((block) => ({
    ...block,
    checks: [
      ...block.checks,
      ...unprovenIn(block).map((deposit): Check => {
        const verdict = isStored(block, deposit) ? verdictOf(paid(block, deposit)) : undefined;
        const { isHeld, detail } = verdict ?? without[unproven];
        return {
          merchantId: deposit.merchantId,
          depositId: deposit.id,
          name: "balance",
          result: isHeld ? "passed" : "waiting",
          detail,
        };
      }),
    ],
  }));
  return { blocks: checked, isComplete };
}

/** The deposits of a block that no root proves: native transfers of an overridden block, and with a quorum of one those that passed it. */
function findUnproven({ stored, quorum, checks }: VerifiedBlock, needed: number): StoredDeposit[] {
  const passed = new Set(
    checks.flatMap(({ name, result, depositId }) =>
      name === "quorum" && result === "passed" ? [depositId] : [],
    ),
  );
  const left = stored.filter((deposit) => !quorum?.contradicted.includes(deposit));
  const reported = new Map(
    [...left, ...(quorum?.agreed.observed ?? [])].map((deposit) => [deposit.id, deposit]),
  );
  return [...reported.values()].filter(
    ({ id, isMerkleProven, source }) =>
      !isMerkleProven && (source === "transfer" || (needed === 1 && passed.has(id))),
  );
}

const HELD = "TRON_UNPROVEN=hold: it waits for a second node, or for `daric deposit accept|reject`";
const UNKNOWN = `no node has reported the balance of its address yet (${MAX_ADDRESSES} addresses are queried at a time)`;
