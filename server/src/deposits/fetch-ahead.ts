import type { ParentBlock } from "../chain/chain-reader.ts";
import type { FoldedBlock } from "../chain/folded-block.ts";
import type { Scanner } from "./scanner.ts";

/** Blocks under way at once, of a call or two each: nodes count calls. */
const MAX_AT_ONCE = 12;
/** Blocks that are asked for or there, and not taken yet. */
const MAX_AHEAD = 96;
/** No more are asked for while so many transactions are there and not taken: of full blocks 21, some 15 MB. */
const MAX_TRANSACTIONS_AHEAD = 8_000;
/** Of blocks that are not urgent, so many are waited for before they are taken, where they are small; more are under way meanwhile. */
const WORTH_TAKING = 60;

/** Which blocks are wanted. */
type Wanted = {
  readonly from: number;
  /** the block below the first, whose child is later than it */
  readonly parent: ParentBlock;
  readonly to: number;
  /** those up to this one are old: that many come together matters more than how soon each does */
  readonly oldTo: number;
  readonly latestMs: number | undefined;
  /** whether no more are to be asked for than are under way */
  isEnough(): boolean;
};

type Fetching = { readonly done: Promise<void>; result?: PromiseSettledResult<FoldedBlock> };

/**
 * Fetches blocks side by side, and goes on with it while those that have come are written: whoever takes gets, in their order,
 * all that have come so far. It ends at the first that cannot be had; when that is the very first, with what was wrong.
 * Nothing is under way any more when it has ended.
 */
export async function* fetchAhead(scanner: Scanner, wanted: Wanted): AsyncGenerator<FoldedBlock[]> {
  const ahead: Fetching[] = [];
  let next = wanted.from;
  let underWay = 0;
  let isOver = false;

  const isRoom = (): boolean =>
    underWay < MAX_AT_ONCE && ahead.length < MAX_AHEAD && transactionsOf(ahead) < MAX_TRANSACTIONS_AHEAD;
  const fetchMore = (): void => {
    while (!isOver && next <= wanted.to && isRoom() && !wanted.isEnough()) {
      underWay += 1;
      const asking = scanner.client.fetchSignedBlock({
        number: next,
        parent: next === wanted.from ? wanted.parent : undefined,
        latestMs: wanted.latestMs,
        usdtContractHex: scanner.network.usdtContractHex,
        isOld: next <= wanted.oldTo,
      });
      const one: Fetching = {
        done: Promise.allSettled([asking]).then(([result]) => {
          one.result = result;
          // What comes after it is not taken.
          if (result.status === "rejected") isOver = true;
          underWay -= 1;
          fetchMore();
        }),
      };
      ahead.push(one);
      next += 1;
    }
  };

  try {
    fetchMore();
    for (let isFirst = true; ahead.length > 0; isFirst = false) {
      const old = wanted.oldTo - (next - ahead.length) + 1;
      for (let place = 0; place < Math.max(1, Math.min(old, WORTH_TAKING)); place += 1)
        await ahead[place]?.done;
      const blocks = takeBlocks(ahead);
      const [failed] = ahead;
      if (isFirst && blocks.length === 0 && failed?.result?.status === "rejected") throw failed.result.reason;
      if (blocks.length === 0) return;
      fetchMore();
      yield blocks;
    }
  } finally {
    isOver = true;
    await Promise.all(ahead.map(({ done }) => done));
  }
}

/** Takes what has come off the front. */
function takeBlocks(ahead: Fetching[]): FoldedBlock[] {
  const blocks: FoldedBlock[] = [];
  for (let one = ahead[0]; one?.result?.status === "fulfilled"; one = ahead[0]) {
    blocks.push(one.result.value);
    ahead.shift();
  }
  return blocks;
}

/** Of those that have come. */
function transactionsOf(ahead: readonly Fetching[]): number {
  let transactions = 0;
  for (const { result } of ahead) {
    if (result?.status === "fulfilled") transactions += result.value.outline.transactionCount;
  }
  return transactions;
}
