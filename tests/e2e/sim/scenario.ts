import { RescanRefusedError, requestRescan } from "@daric/deposits/rescan/rescan";
import type { Queryable } from "@daric/postgres/sql";
import type { Dice } from "../faults/dice.ts";
import { SLOT_LENGTH_MS } from "./chain/block.ts";
import type { FateInFork, SimChain } from "./chain/chain.ts";
import { lookalikes, type PlannedPayment, trxPayments, usdtPayments } from "./chain/payments.ts";
import type { SignedTransaction } from "./chain/transactions.ts";
import { invalidTexts } from "./node/invalid-texts.ts";
import { type LastingLie, lastingLies, notYetWithstood, oncePerBlock } from "./node/lasting-lies.ts";
import { lateLies, liesAtStart } from "./node/late-lies.ts";
import type { SimLie } from "./node/lie-builders.ts";
import { inventBranch, liesToInject } from "./node/lies.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimCharge } from "./shop.ts";

/** The parts that a scenario acts on. */
export type Scene = {
  readonly dice: Dice;
  readonly chain: SimChain;
  readonly simCharges: readonly SimCharge[];
  /** the node that may lie and lag; the other one, if any, is honest */
  readonly liar: SimNode;
  readonly isAlone: boolean;
  /** whether nodes are compared, which needs more than one */
  readonly hasQuorum: boolean;
  /** the blocks that already had a one-time lie */
  readonly reportedOnce: Set<number>;
  nowMs(): number;
  logLine(line: string): void;
};

/** The network's name in the service. */
export const NETWORK = "nile";
const EXPIRES_AFTER_MS = 60_000;
/** Without this many of 27 witnesses no block becomes solid. */
const TOO_MANY_AWAY = 10;

/** Sends a payment, or a lookalike. */
export function sendPayment(scene: Scene): void {
  const { dice, chain, logLine } = scene;
  const honest = scene.simCharges.filter(({ isTrap }) => !isTrap);
  const simCharge = dice.pick(honest);
  const isOther = dice.chance(10);
  const isTrx = (simCharge.charge.currency === "TRX") !== isOther;
  const kind = dice.chance(15) ? lookalikes : isTrx ? trxPayments : usdtPayments;
  const [name, way] = dice.pick(
    Object.entries(kind) as [string, (planned: PlannedPayment) => SignedTransaction][],
  );
  const others = dice.chance(40) ? [dice.pick(honest).addressHex] : [];
  const units = amountFor(simCharge, dice);
  const transaction = way({ to: [simCharge.addressHex, ...others], units, ...timesOf(scene) });
  chain.send(transaction);
  logLine(
    `${name} of ${units} to ${simCharge.charge.kind} ${simCharge.charge.address.slice(0, 6)} by ${transaction.id.slice(0, 8)}`,
  );
}

/** Moves all money off an address, as an operator would by hand. */
export function empty(scene: Scene): void {
  const { dice, chain, logLine } = scene;
  const simCharge = dice.pick(scene.simCharges);
  const currency = dice.pick(["USDT", "TRX"] as const);
  const balance = chain.balance(simCharge.addressHex, currency);
  if (balance <= 0n) return;
  const way = currency === "USDT" ? usdtPayments.direct : trxPayments.native;
  const units = dice.chance(60) ? balance : balance / 2n + 1n;
  const transaction = way({ to: [ELSEWHERE], units, fromHex: simCharge.addressHex, ...timesOf(scene) });
  chain.send(transaction);
  logLine(
    `${units} of ${currency} leave ${simCharge.charge.address.slice(0, 6)} by ${transaction.id.slice(0, 8)}`,
  );
}

const ELSEWHERE = `41${"ee".repeat(20)}`;

/** The amount of a payment: the exact due, a part, too little, too much, or dust. */
function amountFor({ charge }: SimCharge, dice: Dice): bigint {
  const due: bigint = charge.expectedAmount ?? 7_000_000n;
  const tolerated = due / 100n < 10_000n ? due / 100n : 10_000n;
  return dice.pick([
    due,
    due,
    due - tolerated,
    due - tolerated - 1n,
    due / 2n,
    due / 2n + 1n,
    due + 2_000_000n,
    900n,
  ]);
}

/** Two transactions of the same content differ by their signing time. */
function timesOf({ dice, nowMs }: Scene): Pick<PlannedPayment, "timeMs" | "expirationMs"> {
  return {
    timeMs: nowMs() - dice.roll(1_000_000),
    expirationMs: nowMs() + EXPIRES_AFTER_MS - dice.roll(40_000),
  };
}

/** The chain forks: mostly by a block or two, sometimes down to the solid block. */
export function fork({ dice, chain, logLine }: Scene): void {
  const all = chain.head().number - chain.solidNumber();
  const depth = dice.pick([1, 1, 2, 3, 1 + dice.roll(18), all]);
  const fates: FateInFork[] = dice.pick([
    ["kept"],
    ["kept", "moved", "changed"],
    ["moved", "dropped"],
    ["dropped"],
    ["kept", "moved", "changed", "dropped"],
  ]);
  const left = chain.fork(depth, () => dice.pick(fates));
  logLine(`a fork replaces ${left} blocks; transactions are ${fates.join(" or ")}`);
}

export function flipBack({ chain, logLine }: Scene): void {
  if (chain.flipBack()) logLine("the branch before the last fork is the longer one again");
}

/** The liar lies once or a few times. */
export function lie(scene: Scene): void {
  const { dice, liar, logLine } = scene;
  const { name, lie: inject } = dice.pick(liesToInject(trapOf(scene).addressHex));
  const times = 1 + dice.roll(5);
  liar.inject(name, inject, times);
  logLine(`${liar.label} lies ${times} times: ${name}`);
}

/** The liar changes a few blocks, each once: a second read gets the truth. */
export function lieOnce(scene: Scene): void {
  const { dice, liar, logLine } = scene;
  const { name, lie: inject } = dice.pick(lastingLies(trapOf(scene).addressHex).filter(isOfInfos));
  const title = `${name}, once of a block`;
  liar.inject(title, oncePerBlock(inject, scene.reportedOnce), 1 + dice.roll(6));
  logLine(`${liar.label} lies: ${title}`);
}

const isOfInfos = ({ needsQuorum }: LastingLie): boolean => needsQuorum === true;

/**
 * The liar is silent, late or of another network at the start, until all are honest; `named` selects the lie.
 */
export function lieAtStart({ dice, liar, logLine }: Scene, named?: string): boolean {
  const begun = named === undefined ? dice.pick([liesAtStart(), lateLies]) : liesAtStart();
  const choice = begun.filter(({ name }) => named === undefined || name === named);
  if (choice.length === 0) return false;
  const { name, lie: inject } = dice.pick(choice);
  liar.injectLasting(name, inject);
  logLine(`${liar.label} lies from the start: ${name}`);
  return true;
}

/** The liar begins a lasting lie; `named` selects it. */
export function beginLastingLie(scene: Scene, named?: string): void {
  const { dice, liar, logLine } = scene;
  const isChosen = ({ name }: SimLie) =>
    named === undefined ? !notYetWithstood.includes(name) : name === named;
  const kinds = [lastingLiesFor(scene), lateLies, invalidTexts(trapOf(scene).addressHex)]
    .map((lies) => lies.filter(isChosen))
    .filter((lies) => lies.length > 0);
  const choice = kinds.length === 0 ? [] : dice.pick(kinds);
  if (choice.length === 0) return;
  const { name, lie: inject } = dice.pick(choice);
  liar.injectLasting(name, inject);
  logLine(`${liar.label} lies for good: ${name}`);
}

function lastingLiesFor(scene: Scene): LastingLie[] {
  const lies = lastingLies(trapOf(scene).addressHex);
  return lies.filter(({ needsQuorum }) => scene.hasQuorum || !needsQuorum);
}

const trapOf = ({ simCharges }: Scene): SimCharge => simCharges.find(({ isTrap }) => isTrap)!;

/** The liar shows a branch of its own, with invented payments. */
export function invent(scene: Scene): void {
  const { dice, chain, liar, simCharges, logLine } = scene;
  const depth = 1 + dice.roll(Math.min(17, chain.head().number - chain.solidNumber() - 1));
  const ways = [usdtPayments.direct, trxPayments.native, usdtPayments.manyAtOnce];
  const payments = Array.from({ length: 1 + dice.roll(3) }, () => {
    const simCharge = dice.pick(simCharges);
    const signed = dice.pick(ways)({
      to: [simCharge.addressHex],
      units: amountFor(simCharge, dice),
      ...timesOf(scene),
    });
    return { signed, effect: signed.effect };
  });
  const blocks = inventBranch(chain.blocks(), { depth, payments, beyond: dice.roll(2), dice });
  const isAlternating = dice.chance(50);
  liar.show({ blocks, isAlternating, solidNumber: chain.solidNumber() });
  const how = isAlternating ? ", now and then" : "";
  logLine(`${liar.label} invents ${depth} blocks${how}, with ${payments.length} payments`);
}

/** An operator has a range of blocks read again (`daric scan`), with some unread ones. */
export async function rescan({ dice, chain, logLine }: Scene, db: Queryable): Promise<void> {
  const from = Math.max(1, chain.head().number - dice.roll(40));
  const to = from + dice.roll(20);
  try {
    await requestRescan(db, { network: NETWORK, from, to });
    logLine(`an operator rescans blocks ${from} to ${to}`);
  } catch (error) {
    if (!(error instanceof RescanRefusedError)) throw error;
    logLine(`the operator sees: ${error.message}`);
  }
}

/** Begins with a quorum and one node that shows invented blocks, even below the solid one. */
export function leadToLiar({ dice, chain, liar, hasQuorum, logLine }: Scene): void {
  if (!hasQuorum) return;
  const lie = "reading begins on invented blocks";
  if (notYetWithstood.includes(lie)) return;
  const depth = chain.head().number - chain.solidNumber() + 5;
  const blocks = inventBranch(chain.blocks(), { depth, payments: [], beyond: 1 + dice.roll(3), dice });
  liar.show({ blocks, isAlternating: false, solidNumber: blocks.length - 19 });
  logLine(`${liar.label} invents ${depth} blocks, of which some are final: ${lie}`);
}

/** The liar's node falls behind, or is a gateway with backends at different heights. */
export function lag({ dice, liar, logLine }: Scene): void {
  const blocks = dice.pick([1, 2, 3, 12, 18, 25]);
  const isFlapping = dice.chance(50);
  liar.fallBehind(blocks, isFlapping);
  logLine(`${liar.label} is ${isFlapping ? "up to " : ""}${blocks} blocks behind`);
}

/** A witness is elected, or too many are away for a solid block. */
export function changeWitnesses({ dice, chain, logLine }: Scene): void {
  const { roster } = chain;
  if (dice.chance(50)) {
    roster.elect();
    logLine("a witness is elected");
  } else {
    const away = dice.pick([3, TOO_MANY_AWAY]);
    roster.sendAway(away);
    logLine(`${away} witnesses make no blocks`);
  }
}

/** The next slot after the chain's head and the clock. */
export function nextSlotMs({ chain, nowMs }: Pick<Scene, "chain" | "nowMs">): number {
  return (Math.floor(Math.max(chain.head().timeMs, nowMs()) / SLOT_LENGTH_MS) + 1) * SLOT_LENGTH_MS;
}
