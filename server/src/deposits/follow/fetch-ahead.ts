import type { LazyBlock } from "../../chain/blocks/lazy-block.ts";
import type { ParentBlock } from "../../chain/nodes/chain-reader.ts";
import type { Scanner } from "./scanner.ts";

/** Calls for blocks under way at once: nodes count them. An old block is two, its infos asked for with it. */
const MAX_CALLS_AT_ONCE = 12;
const CALLS_FOR_OLD = 2;
/** Blocks that are asked for or there, and not taken yet. */
const MAX_AHEAD = 96;
/** No more are asked for while so many transactions are there and not taken: of full blocks 21, some 15 MB. */
const MAX_TRANSACTIONS_AHEAD = 8_000;
/** The same of what is kept of them, which a node may pad as it likes. */
const MAX_BYTES_AHEAD = 64 * 1024 * 1024;
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
  /** whether no more are to be asked for than are under way */
  isEnough(): boolean;
};

type Fetching = { readonly done: Promise<void>; result?: PromiseSettledResult<LazyBlock> };

/**
 * Fetches blocks side by side, and goes on with it while those that have come are written: whoever takes gets, in their order,
 * all that have come so far. It ends at the first that cannot be had; when that is the very first, with what was wrong.
 * Nothing is under way any more when it has ended.
 */
export async function* fetchAhead(scanner: Scanner, wanted: Wanted): AsyncGenerator<LazyBlock[]> {
  const ahead: Fetching[] = [];
  let next = wanted.from;
  let callsUnderWay = 0;
  let isOver = false;

  const isRoom = (): boolean =>
    callsUnderWay < MAX_CALLS_AT_ONCE &&
    ahead.length < MAX_AHEAD &&
    sumOf(ahead, ({ summary }) => summary.transactionCount) < MAX_TRANSACTIONS_AHEAD &&
    sumOf(ahead, ({ keptBytes }) => keptBytes) < MAX_BYTES_AHEAD;
  const fetchMore = (): void => {
    while (!isOver && next <= wanted.to && isRoom() && !wanted.isEnough()) {
      const isOld = next <= wanted.oldTo;
      const calls = isOld ? CALLS_FOR_OLD : 1;
      callsUnderWay += calls;
      const pending = scanner.client.fetchBlock({
        number: next,
        parent: next === wanted.from ? wanted.parent : undefined,
        usdtContractHex: scanner.network.usdtContractHex,
        isOld,
      });
      const one: Fetching = {
        done: Promise.allSettled([pending]).then(([result]) => {
          one.result = result;
          // What comes after it is not taken.
          if (result.status === "rejected") isOver = true;
          callsUnderWay -= calls;
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
      for (let index = 0; index < Math.max(1, Math.min(old, WORTH_TAKING)); index += 1)
        await ahead[index]?.done;
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
function takeBlocks(ahead: Fetching[]): LazyBlock[] {
  const blocks: LazyBlock[] = [];
  for (let one = ahead[0]; one?.result?.status === "fulfilled"; one = ahead[0]) {
    blocks.push(one.result.value);
    ahead.shift();
  }
  return blocks;
}

/** Of those that have come. */
function sumOf(ahead: readonly Fetching[], of: (block: LazyBlock) => number): number {
  let sum = 0;
  for (const { result } of ahead) if (result?.status === "fulfilled") sum += of(result.value);
  return sum;
}
