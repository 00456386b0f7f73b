type BlockName = { readonly number: number; readonly id: string };

/**
 * The position of a node's head relative to the blocks that we have read.
 *
 * - below_final: lower than a final block.
 * - behind: lower, and equal to our block of that height.
 * - same: our last block.
 * - fork: another block than ours of that height.
 * - ahead: higher. The parents of the blocks between decide whether it is on our chain.
 */
export type HeadPosition = "below_final" | "behind" | "same" | "fork" | "ahead";

/** `ourId` is the id of our block at the head's height, if we have read one. */
export function compareWithHead(
  cursor: { readonly number: number; readonly solidNumber: number },
  head: BlockName,
  ourId: string | undefined,
): HeadPosition {
  if (head.number > cursor.number) return "ahead";
  if (head.number < cursor.solidNumber) return "below_final";
  if (head.id !== ourId) return "fork";
  return head.number < cursor.number ? "behind" : "same";
}
