import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import type { ParentBlock } from "@daric/chain/nodes/chain-reader";
import type { Scanner } from "./scanner.ts";

/** The most running calls, which nodes limit. An old block takes two, because its infos are fetched with it. */
const MAX_CALLS_AT_ONCE = 12;
const CALLS_FOR_OLD = 2;
/** The most blocks that are fetched or being fetched, and not yet taken. */
const MAX_AHEAD = 96;
/** The most transactions of fetched blocks: 21 full blocks, about 15 MB. */
const MAX_TRANSACTIONS_AHEAD = 8_000;
/** The most bytes held for fetched blocks, since a node may pad its answers. */
const MAX_BYTES_AHEAD = 64 * 1024 * 1024;
/** Old blocks are taken in batches of this size; newer ones as soon as they arrive. */
const WORTH_TAKING = 60;

type Wanted = {
  readonly from: number;
  readonly parent: ParentBlock;
  readonly to: number;
  /** blocks up to this one are old: throughput matters more than latency */
  readonly oldTo: number;
  /** stops further fetches; running ones continue */
  isEnough(): boolean;
};

type Fetching = { readonly done: Promise<void>; result?: PromiseSettledResult<LazyBlock> };

/**
 * Fetches blocks in parallel while earlier ones are written. Each step yields, in order, all blocks that have arrived. It ends at
 * the first block that fails, and throws its error if that is the very first. No fetch is running when it has ended.
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
        tokens: scanner.network.tokens,
        isOld,
      });
      const one: Fetching = {
        done: Promise.allSettled([pending]).then(([result]) => {
          one.result = result;
          // Blocks after a failed one are not used.
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

function takeBlocks(ahead: Fetching[]): LazyBlock[] {
  const blocks: LazyBlock[] = [];
  for (let one = ahead[0]; one?.result?.status === "fulfilled"; one = ahead[0]) {
    blocks.push(one.result.value);
    ahead.shift();
  }
  return blocks;
}

function sumOf(ahead: readonly Fetching[], of: (block: LazyBlock) => number): number {
  let sum = 0;
  for (const { result } of ahead) if (result?.status === "fulfilled") sum += of(result.value);
  return sum;
}
