import { headOf, type LocalChain, readState, solidOf } from "../chain/chain.ts";
import { blockAt, blockById, type StoredBlock } from "../chain/chain-store.ts";
import type { StateReader } from "../ledger/state.ts";
import { type ApiRequest, flagParam, intParam, RequestRefusal, textParam } from "./api-request.ts";
import type { EndpointTable } from "./endpoint.ts";
import type { JsonTree } from "./json-text.ts";
import { renderBlock, renderInfo } from "./render-transaction.ts";

/** Most blocks of one list (java-tron BLOCK_LIMIT_NUM). */
const MAX_LISTED_BLOCKS = 100;
const BLOCK_ID = /^[0-9a-f]{64}$/i;
const BLOCK_NUMBER = /^\d{1,15}$/;

/** Blocks and their infos. Anything above the cursor is `{}`, as not found. */
export const BLOCK_ENDPOINTS: EndpointTable = {
  getnowblock: (chain, request) => rendered(blockAt(chain.store, cursorNumber(chain, request)), request),

  getblock: (chain, request) => {
    const wanted = textParam(request, "id_or_num");
    const detail = flagParam(request, "detail");
    if (wanted === "") return rendered(blockAt(chain.store, cursorNumber(chain, request)), request, detail);
    if (BLOCK_NUMBER.test(wanted)) return rendered(numbered(chain, request, Number(wanted)), request, detail);
    if (!BLOCK_ID.test(wanted)) throw new RequestRefusal("", "id must be legal block hash.");
    return rendered(identified(chain, request, wanted), request, detail);
  },

  getblockbynum: (chain, request) =>
    rendered(numbered(chain, request, Number(intParam(request, "num"))), request),

  getblockbyid: (chain, request) =>
    rendered(identified(chain, request, textParam(request, "value")), request),

  getblockbylimitnext: (chain, request) => {
    const start = Number(intParam(request, "startNum"));
    const end = Number(intParam(request, "endNum"));
    if (start < 0 || end <= start || end - start > MAX_LISTED_BLOCKS) return {};
    return blockList(chain, request, { start, end });
  },

  getblockbylatestnum: (chain, request) => {
    const count = Number(intParam(request, "num"));
    if (count <= 0 || count >= MAX_LISTED_BLOCKS) return {};
    const end = cursorNumber(chain, request) + 1;
    return blockList(chain, request, { start: Math.max(0, end - count), end });
  },

  gettransactioninfobyblocknum: (chain, request) => {
    const number = Number(intParam(request, "num"));
    if (number <= 0) return {};
    const stored = numbered(chain, request, number);
    return stored?.outcomes.map((outcome) => renderInfo(outcome, stored.block, request.visible)) ?? [];
  },
};

export function cursorNumber(chain: LocalChain, { cursor, asOf }: ApiRequest): number {
  return asOf ?? (cursor === "head" ? headOf(chain) : solidOf(chain));
}

/** The state that a request reads. */
export function requestedState(chain: LocalChain, { cursor, asOf }: ApiRequest): StateReader {
  return readState(chain, cursor, asOf);
}

/** The time of that block, milliseconds, which recovery and expiry use. */
export function cursorTimeMs(chain: LocalChain, request: ApiRequest): number {
  return chain.store.timestamps[cursorNumber(chain, request)] ?? 0;
}

function numbered(chain: LocalChain, request: ApiRequest, number: number): StoredBlock | undefined {
  return number <= cursorNumber(chain, request) ? blockAt(chain.store, number) : undefined;
}

function identified(chain: LocalChain, request: ApiRequest, id: string): StoredBlock | undefined {
  const stored = blockById(chain.store, id.toLowerCase());
  const isInReach = stored !== undefined && stored.block.header.number <= cursorNumber(chain, request);
  return isInReach ? stored : undefined;
}

function rendered(stored: StoredBlock | undefined, { visible }: ApiRequest, detail = true): JsonTree {
  return stored === undefined ? {} : renderBlock(stored.block, visible, detail);
}

function blockList(
  chain: LocalChain,
  request: ApiRequest,
  { start, end }: { start: number; end: number },
): JsonTree {
  const numbers = Array.from({ length: end - start }, (_, offset) => start + offset);
  const blocks = numbers.flatMap((number) => numbered(chain, request, number) ?? []);
  return blocks.length === 0 ? {} : { block: blocks.map(({ block }) => renderBlock(block, request.visible)) };
}
