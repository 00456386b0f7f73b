import type { BlockFolder } from "./block-folder.ts";
import type { WantedBlock } from "./chain-reader.ts";
import type { FoldedBlock } from "./folded-block.ts";
import type { HttpBytes } from "./http-json.ts";
import { openAnswers } from "./told-answers.ts";

/** How a node's old blocks are read: its answers go as they come to whoever judges them. */
export type Folding = { readonly folder: Pick<BlockFolder, "fold">; readonly http: HttpBytes };

/**
 * An old block, its infos asked for at the same time. Undefined where the answers are not those of one that is whole: what is wrong
 * with it is found out by reading it as a new one is.
 *
 * @throws NodeError when the node does not answer.
 */
export async function fetchFolded(
  { folder, http }: Folding,
  { number, usdtContractHex }: WantedBlock,
): Promise<FoldedBlock | undefined> {
  const [block, infos] = await Promise.all([
    http.postForBytes("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.postForBytes("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  const judged = await folder
    .fold({ block: owned(block), infos: owned(infos), usdtContractHex })
    .catch(() => undefined);
  const { outline, answers } = judged ?? {};
  if (outline?.header.number !== number || answers === undefined) return undefined;
  return { outline, open: () => openAnswers(answers) };
}

/** The bytes in memory of their own: short answers share theirs. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
