import type { BlockFolder } from "./block-folder.ts";
import type { WantedBlock } from "./chain-reader.ts";
import type { BlockContents, FoldedBlock } from "./folded-block.ts";
import type { HttpBytes } from "./http-json.ts";
import { NodeError } from "./node-error.ts";
import { openAnswers, type ToldAnswers } from "./told-answers.ts";

/** How a node's old blocks are read: its answers go as they come to whoever judges them. */
export type Folding = {
  readonly folder: Pick<BlockFolder, "fold">;
  readonly http: HttpBytes & { readonly label: string };
  /** the heights that could not be opened: they are read in parts */
  readonly unopenable: Set<number>;
};

/**
 * An old block, its infos asked for at the same time. Undefined where the answers are not those of one that is whole, or the infos
 * cannot be had, which it may not need: what there is to say of it is found out by reading it as a new one is.
 *
 * @throws NodeError when the node does not show the block, or limits how often it may be asked.
 */
export async function fetchFolded(folding: Folding, wanted: WantedBlock): Promise<FoldedBlock | undefined> {
  const { folder, http, unopenable } = folding;
  const { number, usdtContractHex } = wanted;
  if (unopenable.has(number)) return undefined;
  const [block, infos] = await Promise.allSettled([
    http.postForBytes("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.postForBytes("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  if (block.status === "rejected") throw block.reason;
  if (infos.status === "rejected") {
    if (infos.reason instanceof NodeError && infos.reason.fault !== "rate_limited") return undefined;
    throw infos.reason;
  }
  const judged = await folder
    .fold({ block: owned(block.value), infos: owned(infos.value), usdtContractHex })
    .catch(() => undefined);
  const { outline, answers } = judged ?? {};
  if (outline?.header.number !== number || answers === undefined) return undefined;
  const keptBytes = answers.block.length + answers.infos.length;
  return { outline, keptBytes, open: () => openOrSay(folding, number, answers) };
}

/** What one thread has read another one can, but for what their memory has room for: then nobody reads it twice in vain. */
function openOrSay({ http, unopenable }: Folding, number: number, answers: ToldAnswers): BlockContents {
  try {
    return openAnswers(answers);
  } catch (cause) {
    unopenable.add(number);
    const message = `block ${number} cannot be opened, which was whole when it came`;
    throw new NodeError(message, { fault: "unexpected_answer", node: http.label, cause });
  }
}

/** The bytes in memory of their own: short answers share theirs. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
