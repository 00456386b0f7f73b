import type { BlockDecoder } from "../blocks/block-decoder.ts";
import type { BlockContents, LazyBlock } from "../blocks/lazy-block.ts";
import { NodeError } from "../blocks/node-error.ts";
import { decodeContents, type RawBlockResponse } from "../blocks/raw-block-response.ts";
import type { WantedBlock } from "./chain-reader.ts";
import type { HttpBytes } from "./http-json.ts";

/** Reads a node's old blocks without parsing them on this thread. */
export type OldBlockReader = {
  /**
   * Fetches a block together with its infos. Undefined if it is not complete; the caller then reads it like a new one, which
   * reports the fault. @throws NodeError if the node does not have the block, or limits its rate.
   */
  fetch(wanted: Pick<WantedBlock, "number" | "tokens">): Promise<LazyBlock | undefined>;
};

export function createOldBlockReader(
  decoder: Pick<BlockDecoder, "decode">,
  http: HttpBytes & { readonly label: string },
): OldBlockReader {
  const undecodable = new Set<number>();
  /** A block that the worker thread has read fails here only for lack of memory, so it is not tried twice. */
  const decode = (number: number, answers: RawBlockResponse): BlockContents => {
    try {
      return decodeContents(answers);
    } catch (cause) {
      undecodable.add(number);
      const message = `block ${number} was complete when it arrived, and cannot be decoded now`;
      throw new NodeError(message, { fault: "unexpected_answer", node: http.label, cause });
    }
  };
  return {
    fetch: async ({ number, tokens }) => {
      if (undecodable.has(number)) return undefined;
      const responses = await fetchBoth(http, number);
      const validated = responses && (await decoder.decode({ ...responses, tokens }).catch(() => undefined));
      const { summary, answers } = validated ?? {};
      if (summary?.header.number !== number || answers === undefined) return undefined;
      const keptBytes = answers.block.length + answers.infos.length;
      return { summary, keptBytes, decode: () => decode(number, answers) };
    },
  };
}

/** Undefined if the node has the block and not its infos. Both calls have ended when it returns. */
async function fetchBoth(
  http: HttpBytes,
  number: number,
): Promise<Pick<RawBlockResponse, "block" | "infos"> | undefined> {
  const [block, infos] = await Promise.allSettled([
    http.postForBytes("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.postForBytes("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  if (block.status === "rejected") throw block.reason;
  if (infos.status === "fulfilled") return { block: ownBuffer(block.value), infos: ownBuffer(infos.value) };
  if (infos.reason instanceof NodeError && infos.reason.fault !== "rate_limited") return undefined;
  throw infos.reason;
}

/** A copy with a buffer of its own: short answers share one, which cannot be transferred. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
