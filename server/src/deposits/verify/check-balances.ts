import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import type { StoredDeposit } from "./agree.ts";
import { findPurseBooks, type Purse } from "./balance-store.ts";
import type { VerifiedBlock } from "./read-blocks.ts";
import type { Verifier } from "./verifier.ts";

/** Asked side by side: hosted nodes count the calls of a second. */
const ASKED_AT_ONCE = 5;
/** Of one node; where it is silent the next one is asked. */
const MAX_WAIT_MS = 3_000;
/** Addresses that one step asks about at most. */
const MAX_PURSES = 20;

/** What was found of one purse, in words for an operator. */
type PurseVerdict = { readonly isHeld: boolean; readonly detail: string };

/** What tells one purse from another. */
function purseKey({ address, currency }: Pick<Purse, "address" | "currency">): string {
  return `${address}/${currency}`;
}

/**
 * Whether addresses hold what was credited there: the solid balance, with what our blocks saw leave up to that height, is not
 * lower. Answers by {@link purseKey}; an address of which no node says enough in time is left out, and so is one with a deposit
 * above the node's solid block, which is asked again when it can have reached that.
 */
async function checkBalances(
  context: WatcherContext,
  verifier: Verifier,
  purses: readonly (Purse & { readonly blockNumber: number })[],
): Promise<ReadonlyMap<string, PurseVerdict>> {
  const newest = new Map<string, Purse & { blockNumber: number }>();
  for (const purse of purses) {
    const before = newest.get(purseKey(purse))?.blockNumber ?? 0;
    newest.set(purseKey(purse), { ...purse, blockNumber: Math.max(before, purse.blockNumber) });
  }
  const asked = [...newest.values()].slice(0, MAX_PURSES);
  const balances = asked.length === 0 ? undefined : await askBalances(verifier, asked);
  if (balances === undefined) return new Map();
  const { height } = balances;
  // The node's solid block reaches the deposit's so many blocks later.
  for (const { blockNumber } of asked)
    if (blockNumber > height)
      verifier.verifying.askAgainAfter = Math.min(verifier.verifying.askAgainAfter, blockNumber - height);
  const place = { network: verifier.network.name, to: height };
  const books = await findPurseBooks(context.db, { ...place, purses: asked });
  return new Map(
    asked.flatMap((purse, at): [string, PurseVerdict][] => {
      const [held, own] = [balances.units[at], books[at]];
      if (held === undefined || own === undefined || purse.blockNumber > height) return [];
      const detail = `${purse.address} holds ${held} units of ${purse.currency} in solid block ${height}, ${own.left} left it, ${own.credited} were credited`;
      return [[purseKey(purse), { isHeld: held + own.left >= own.credited, detail }]];
    }),
  );
}

/** What one node says of these purses, as of the solid block that it had before; undefined where no node says anything in time. */
async function askBalances(
  { client, network }: Verifier,
  purses: readonly Purse[],
): Promise<{ height: number; units: readonly bigint[] } | undefined> {
  const tokenOf = ({ currency }: Purse) => (currency === "USDT" ? network.usdtContract : undefined);
  const read = async (node: TronNode) => {
    const { number: height } = await node.getSolidBlock();
    const units: bigint[] = [];
    while (units.length < purses.length) {
      const some = purses.slice(units.length, units.length + ASKED_AT_ONCE);
      units.push(
        ...(await Promise.all(some.map((purse) => node.getSolidBalance(purse.address, tokenOf(purse))))),
      );
    }
    return { height, units };
  };
  const inTime = async (node: TronNode) => {
    const answer = await Promise.race([read(node), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    if (answer !== undefined) return answer;
    throw new NodeError("does not tell balances in time", { fault: "timeout", node: node.label });
  };
  return client.ask(inTime).catch((error: unknown) => {
    if (error instanceof NodeError) return undefined;
    throw error;
  });
}

/**
 * With one voice TRON_UNPROVEN decides about what no root proves: it waits, its address must hold it, or the node is trusted. Of a
 * block that an operator accepted, native transfers are such too.
 */
export async function addBalances(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, needed }: { blocks: readonly VerifiedBlock[]; needed: number },
): Promise<VerifiedBlock[]> {
  const { unproven } = context.config.deposits;
  const unprovenIn = ({ booked, judgement, checks }: VerifiedBlock): StoredDeposit[] => {
    const passed = new Set(
      checks.flatMap(({ name, result, depositId }) =>
        name === "quorum" && result === "passed" ? [depositId] : [],
      ),
    );
    const left = booked.filter((one) => !judgement?.refuted.includes(one));
    const told = new Map([...left, ...(judgement?.agreed.sightings ?? [])].map((one) => [one.id, one]));
    return [...told.values()].filter(
      ({ id, isCovered, source }) =>
        !isCovered && (source === "transfer" || (needed === 1 && passed.has(id))),
    );
  };
  if (blocks.every((block) => unprovenIn(block).length === 0)) return [...blocks];
  // The balance is held against the books: what they are yet to have is asked about at the next look.
  const isInBooks = ({ booked }: VerifiedBlock, { id, amount }: StoredDeposit) =>
    booked.some((one) => one.id === id && one.amount === amount);
  const wanted = blocks.flatMap((block) =>
    unprovenIn(block)
      .filter((one) => isInBooks(block, one))
      .map((one) => ({ ...one, blockNumber: block.block.number })),
  );
  const isAsked = unproven === "balance";
  const verdicts = isAsked ? await checkBalances(context, verifier, wanted) : new Map<string, PurseVerdict>();
  const without: Readonly<Record<typeof unproven, PurseVerdict>> = {
    hold: { isHeld: false, detail: HELD },
    balance: { isHeld: false, detail: UNKNOWN },
    trust: { isHeld: true, detail: "TRON_UNPROVEN=trust: the node is believed" },
  };
  return blocks.map((block) => ({
    ...block,
    checks: [
      ...block.checks,
      ...unprovenIn(block).map((one): Check => {
        const verdict = isInBooks(block, one) ? verdicts.get(purseKey(one)) : undefined;
        const { isHeld, detail } = verdict ?? without[unproven];
        return {
          merchantId: one.merchantId,
          depositId: one.id,
          name: "balance",
          result: isHeld ? "passed" : "waiting",
          detail,
        };
      }),
    ],
  }));
}

const HELD = "TRON_UNPROVEN=hold: it waits for a second node, or for `daric deposit accept|reject`";
const UNKNOWN = `no node has told the balance of its address yet (${MAX_PURSES} addresses are asked about at a time)`;
