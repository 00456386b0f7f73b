import { type CompleteBlock, findIncompleteness } from "./complete-block.ts";
import { IncompleteBlockError, StrangeBlockError } from "./node-error.ts";
import type { ToldBlock } from "./parse-block.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";

/** What a node tells of a block. `usdtContractHex` undefined: nothing is known of calls of USDT. */
type Told = {
  readonly block: ToldBlock;
  readonly infos: readonly TransactionInfo[];
  readonly usdtContractHex: string | undefined;
};

/**
 * The block and its infos as one complete block.
 *
 * @throws StrangeBlockError when it is not complete and an operator may take it all the same.
 * @throws IncompleteBlockError when it is not complete.
 */
export function requireComplete(node: string, { block, infos, usdtContractHex }: Told): CompleteBlock {
  const fault = findIncompleteness(block, infos, usdtContractHex);
  const { header, transactions } = block;
  if (fault?.checks.length === 0) throw new IncompleteBlockError(node, header.number, fault.reason);
  const told = { header, transactions, infos };
  if (fault === undefined) return told;
  throw new StrangeBlockError(node, { ...told, isAccepted: true }, fault);
}
