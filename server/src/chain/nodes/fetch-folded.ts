import type { BlockFolder } from "../blocks/block-folder.ts";
import type { BlockContents, FoldedBlock } from "../blocks/folded-block.ts";
import { NodeError } from "../blocks/node-error.ts";
import { openAnswers, type ToldAnswers } from "../blocks/told-answers.ts";
import type { WantedBlock } from "./chain-reader.ts";
import type { HttpBytes } from "./http-json.ts";

/** How a node's old blocks are read: its answers go as they come to whoever judges them. */
export type Folding = {
  /**
   * An old block, its infos asked for at the same time. Undefined where the answers are not those of one that is whole, or the infos
   * cannot be had, which it may not need: what there is to say of it is found out by reading it as a new one is.
   *
   * @throws NodeError when the node does not show the block, or limits how often it may be asked.
   */
  fetch(wanted: Pick<WantedBlock, "number" | "usdtContractHex">): Promise<FoldedBlock | undefined>;
};

/** What reads one node's old blocks. It remembers those that could not be opened: they are read in parts. */
export function createFolding(
  folder: Pick<BlockFolder, "fold">,
  http: HttpBytes & { readonly label: string },
): Folding {
  const unopenable = new Set<number>();
  /** What one thread has read another one can, but for what their memory has room for: then nobody reads it twice in vain. */
  const open = (number: number, answers: ToldAnswers): BlockContents => {
    try {
      return openAnswers(answers);
    } catch (cause) {
      unopenable.add(number);
      const message = `block ${number} cannot be opened, which was whole when it came`;
      throw new NodeError(message, { fault: "unexpected_answer", node: http.label, cause });
    }
  };
  return {
    fetch: async ({ number, usdtContractHex }) => {
      if (unopenable.has(number)) return undefined;
      const told = await askForBoth(http, number);
      const judged = told && (await folder.fold({ ...told, usdtContractHex }).catch(() => undefined));
      const { outline, answers } = judged ?? {};
      if (outline?.header.number !== number || answers === undefined) return undefined;
      const keptBytes = answers.block.length + answers.infos.length;
      return { outline, keptBytes, open: () => open(number, answers) };
    },
  };
}

/** Undefined where the block is there and its infos are not. Nothing is under way when it ends. */
async function askForBoth(
  http: HttpBytes,
  number: number,
): Promise<Pick<ToldAnswers, "block" | "infos"> | undefined> {
  const [block, infos] = await Promise.allSettled([
    http.postForBytes("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.postForBytes("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  if (block.status === "rejected") throw block.reason;
  if (infos.status === "fulfilled") return { block: owned(block.value), infos: owned(infos.value) };
  if (infos.reason instanceof NodeError && infos.reason.fault !== "rate_limited") return undefined;
  throw infos.reason;
}

/** The bytes in memory of their own: short answers share theirs. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
