import { makeBlock, type SimBlock, SLOT_LENGTH_MS } from "./block.ts";
import type { IncludedTransaction, MovedMoney, SignedTransaction } from "./transactions.ts";
import { createRoster, type Roster, solidNumberOf } from "./witnesses.ts";

/**
 * The fate of a transaction whose block a fork replaces. `changed` means that its contract has another effect in
 * the new block.
 */
export type FateInFork = "kept" | "moved" | "changed" | "dropped";

/** A movement of money in the current chain, with its position. */
export type StandingMovement = MovedMoney & {
  readonly txId: string;
  readonly blockNumber: number;
  readonly blockId: string;
  readonly blockTimeMs: number;
};

/** The true chain. Its ledger follows from its own transactions. */
export type SimChain = {
  readonly roster: Roster;
  blocks(): readonly SimBlock[];
  head(): SimBlock;
  /** The solid block never leaves the chain. */
  solidNumber(): number;
  /** Puts a transaction into the next block. */
  send(transaction: SignedTransaction): void;
  /** Makes the block of this slot, unless its witness is away. Slots only advance. */
  makeSlot(timeMs: number): boolean;
  /**
   * Replaces the newest blocks above the solid one by as many and one more; returns the number of replaced
   * ones.
   */
  fork(depth: number, fateOf: () => FateInFork): number;
  /** Returns to the branch before the last fork, extended meanwhile, if still possible. */
  flipBack(): boolean;
  movements(upTo?: number): StandingMovement[];
  /** These accounts spend no more than they have; all others are unlimited. */
  bound(addressesHex: readonly string[]): void;
  /** The balance of an address by the blocks up to a height. */
  balance(addressHex: string, currency: "USDT" | "TRX", upTo?: number): bigint;
};

/** Begins with this many empty blocks, enough for a solid one, the last at `nowMs`. */
export function createSimChain(nowMs: number, count: number): SimChain {
  const poor = new Set<string>();
  const roster = createRoster();
  const startMs = nowMs - count * SLOT_LENGTH_MS;
  let blocks: SimBlock[] = [];
  let left: readonly SimBlock[] = [];
  let pool: SignedTransaction[] = [];
  let solid = 0;

  const head = (): SimBlock => blocks.at(-1)!;
  const slotOf = (timeMs: number) => Math.round(timeMs / SLOT_LENGTH_MS);

  function append(branch: SimBlock[], timeMs: number, wanted: readonly IncludedTransaction[]): boolean {
    const witness = roster.at(slotOf(timeMs));
    if (witness === undefined) return false;
    const { addressHex: witnessHex, key } = witness;
    const included: IncludedTransaction[] = [];
    for (const transaction of wanted) {
      if (transaction.signed.expirationMs > timeMs && canPay([...branch, { included }], transaction))
        included.push(transaction);
    }
    branch.push(makeBlock({ parent: branch.at(-1), timeMs, witnessHex, key, included }));
    return true;
  }

  /** Appends a block that differs from every existing one, because the effects of a block are looked up by its id. */
  function appendOther(branch: SimBlock[], timeMs: number, wanted: readonly IncludedTransaction[]): boolean {
    if (!append(branch, timeMs, wanted)) return false;
    const made = branch.at(-1)!;
    if (blocks[made.number]?.id !== made.id) return true;
    branch.pop();
    return false;
  }

  /** No bounded account may overspend. */
  function canPay(branch: readonly Pick<SimBlock, "included">[], { effect }: IncludedTransaction): boolean {
    return effect.movements.every(
      ({ fromHex, currency, units }) =>
        !poor.has(fromHex) ||
        balanceIn(
          branch.flatMap(({ included }) => included.flatMap((transaction) => transaction.effect.movements)),
          fromHex,
          currency,
        ) >= units,
    );
  }

  /** Switches to another branch; missing transactions of the old one wait again, unless they were dropped. */
  function follow(branch: SimBlock[], dropped: ReadonlySet<string>): void {
    const isIn = new Set(branch.flatMap(({ included }) => included.map(({ signed }) => signed.id)));
    const lost = blocks
      .filter((block) => branch[block.number]?.id !== block.id)
      .flatMap(({ included }) => included.map(({ signed }) => signed));
    pool = [...pool, ...lost.filter(({ id }) => !dropped.has(id))].filter(({ id }) => !isIn.has(id));
    left = blocks;
    blocks = branch;
    settle();
  }

  function settle(): void {
    solid = Math.max(solid, solidNumberOf(blocks));
  }

  function fork(depth: number, fateOf: () => FateInFork): number {
    const count = Math.min(depth, head().number - solid);
    if (count < 1) return 0;
    const branch = blocks.slice(0, -count);
    const dropped = new Set<string>();
    let moved: IncludedTransaction[] = [];
    let timeMs = branch.at(-1)!.timeMs;
    for (const { included } of blocks.slice(-count)) {
      const wanted = moved;
      moved = [];
      for (const { signed, effect } of included) {
        const fate = fateOf();
        if (fate === "kept") wanted.push({ signed, effect });
        else if (fate === "moved") moved.push({ signed, effect });
        else if (fate === "dropped") dropped.add(signed.id);
        else wanted.push({ signed, effect: signed.otherEffect ?? effect });
      }
      do timeMs += SLOT_LENGTH_MS;
      while (!appendOther(branch, timeMs, wanted));
    }
    do timeMs += SLOT_LENGTH_MS;
    while (!append(branch, timeMs, moved));
    follow(branch, dropped);
    return count;
  }

  function flipBack(): boolean {
    const common = left.findIndex((block, number) => blocks[number]?.id !== block.id);
    if (common === -1 || common <= solid) return false;
    const branch = left.slice();
    let timeMs = branch.at(-1)!.timeMs;
    while (branch.length <= blocks.length) {
      timeMs += SLOT_LENGTH_MS;
      append(branch, timeMs, []);
    }
    follow(branch, new Set());
    return true;
  }

  append(blocks, startMs, []);
  for (let made = 1; made <= count; made += 1) append(blocks, startMs + made * SLOT_LENGTH_MS, []);
  settle();
  return {
    roster,
    blocks: () => blocks,
    head,
    solidNumber: () => solid,
    send: (transaction) => pool.push(transaction),
    makeSlot: (timeMs) => {
      const waiting = pool.map((signed) => ({ signed, effect: signed.effect }));
      if (timeMs <= head().timeMs || !append(blocks, timeMs, waiting)) return false;
      const isIn = new Set(head().included.map(({ signed }) => signed.id));
      pool = pool.filter(({ id, expirationMs }) => !isIn.has(id) && expirationMs > timeMs);
      settle();
      return true;
    },
    fork,
    flipBack,
    bound: (addressesHex) => {
      for (const addressHex of addressesHex) poor.add(addressHex);
    },
    movements: (upTo = Number.POSITIVE_INFINITY) => movementsOf(blocks, upTo),
    balance: (addressHex, currency, upTo = Number.POSITIVE_INFINITY) =>
      balanceIn(movementsOf(blocks, upTo), addressHex, currency),
  };
}

function movementsOf(blocks: readonly SimBlock[], upTo = Number.POSITIVE_INFINITY): StandingMovement[] {
  return blocks
    .filter(({ number, included }) => number <= upTo && included.length > 0)
    .flatMap(({ included, number: blockNumber, id: blockId, timeMs: blockTimeMs }) =>
      included.flatMap(({ signed, effect }) =>
        effect.movements.map((movement) => ({
          ...movement,
          txId: signed.id,
          blockNumber,
          blockId,
          blockTimeMs,
        })),
      ),
    );
}

function balanceIn(movements: readonly MovedMoney[], addressHex: string, currency: "USDT" | "TRX"): bigint {
  return movements
    .filter((movement) => movement.currency === currency)
    .reduce(
      (sum, { fromHex, toHex, units }) =>
        sum + (toHex === addressHex ? units : 0n) - (fromHex === addressHex ? units : 0n),
      0n,
    );
}
