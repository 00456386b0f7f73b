import type { BlockDecoder } from "../blocks/block-decoder.ts";
import type { BlockContents, LazyBlock } from "../blocks/lazy-block.ts";
import { NodeError } from "../blocks/node-error.ts";
import { decodeContents, type RawBlockResponse } from "../blocks/raw-block-response.ts";
import type { WantedBlock } from "./chain-reader.ts";
import type { HttpBytes } from "./http-json.ts";

/** How a node's old blocks are read: its answers go as they come to whoever judges them. */
export type OldBlockReader = {
  /**
   * An old block, its infos asked for at the same time. Undefined where the answers are not those of one that is whole, or the infos
   * cannot be had, which it may not need: what there is to say of it is found out by reading it as a new one is.
   *
   * @throws NodeError when the node does not show the block, or limits how often it may be asked.
   */
  fetch(wanted: Pick<WantedBlock, "number" | "usdtContractHex">): Promise<LazyBlock | undefined>;
};

/** What reads one node's old blocks. It remembers those that could not be opened: they are read in parts. */
export function createOldBlockReader(
  decoder: Pick<BlockDecoder, "decode">,
  http: HttpBytes & { readonly label: string },
): OldBlockReader {
  const undecodable = new Set<number>();
  /** What one thread has read another one can, but for what their memory has room for: then nobody reads it twice in vain. */
  const decode = (number: number, answers: RawBlockResponse): BlockContents => {
    try {
      return decodeContents(answers);
    } catch (cause) {
      undecodable.add(number);
      const message = `block ${number} cannot be opened, which was whole when it came`;
      throw new NodeError(message, { fault: "unexpected_answer", node: http.label, cause });
    }
  };
  return {
    fetch: async ({ number, usdtContractHex }) => {
      if (undecodable.has(number)) return undefined;
      const responses = await fetchBoth(http, number);
      const validated =
        responses && (await decoder.decode({ ...responses, usdtContractHex }).catch(() => undefined));
      const { summary, answers } = validated ?? {};
      if (summary?.header.number !== number || answers === undefined) return undefined;
      const keptBytes = answers.block.length + answers.infos.length;
      return { summary, keptBytes, decode: () => decode(number, answers) };
    },
  };
}

/** Undefined where the block is there and its infos are not. Nothing is under way when it ends. */
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

/** The bytes in memory of their own: short answers share theirs. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
