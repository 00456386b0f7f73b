import { type CompleteBlock, findIncompleteness } from "./complete-block.ts";
import { IncompleteBlockError, InvalidBlockError } from "./node-error.ts";
import type { ProvableBlock } from "./parse-block.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";

/** What a node tells of a block. `usdtContractHex` undefined: nothing is known of calls of USDT. */
type ParsedBlock = {
  readonly block: ProvableBlock;
  readonly infos: readonly TransactionInfo[];
  readonly usdtContractHex: string | undefined;
};

/**
 * The block and its infos as one complete block.
 *
 * @throws InvalidBlockError when it is not complete and an operator may take it all the same.
 * @throws IncompleteBlockError when it is not complete.
 */
export function requireComplete(node: string, { block, infos, usdtContractHex }: ParsedBlock): CompleteBlock {
  const fault = findIncompleteness(block, infos, usdtContractHex);
  const { header, transactions } = block;
  if (fault?.checks.length === 0) throw new IncompleteBlockError(node, header.number, fault.reason);
  const complete = { header, transactions, infos };
  if (fault === undefined) return complete;
  throw new InvalidBlockError(node, { ...complete, isAccepted: true }, fault);
}
