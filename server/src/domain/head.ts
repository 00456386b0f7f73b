type BlockName = { readonly number: number; readonly id: string };

/**
 * Where a node's head stands against what we have read.
 *
 * - below_final: lower than a block that was final.
 * - behind: lower, and our block of that height.
 * - same: the block that we stand on.
 * - fork: another block than ours of that height.
 * - ahead: higher. Whether it is our chain is told by the parents of the blocks between.
 */
export type HeadPosition = "below_final" | "behind" | "same" | "fork" | "ahead";

/** `ourId` is the id of our block at the head's height; undefined where none was read. */
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
