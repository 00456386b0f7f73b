import type { Token } from "@daric/domain/asset";
import { type CompleteBlock, findIncompleteness } from "./complete-block.ts";
import { IncompleteBlockError, InvalidBlockError } from "./node-error.ts";
import type { ProvableBlock } from "./parse-block.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";

/** Only direct calls of these tokens are checked. */
type ParsedBlock = {
  readonly block: ProvableBlock;
  readonly infos: readonly TransactionInfo[];
  readonly tokens: readonly Token[];
};

/** @throws InvalidBlockError if an operator may override the failed checks, else IncompleteBlockError. */
export function requireComplete(node: string, { block, infos, tokens }: ParsedBlock): CompleteBlock {
  const fault = findIncompleteness(block, infos, tokens);
  const { header, transactions } = block;
  if (fault?.checks.length === 0) throw new IncompleteBlockError(node, header.number, fault.reason);
  const complete = { header, transactions, infos };
  if (fault === undefined) return complete;
  throw new InvalidBlockError(node, { ...complete, isAccepted: true }, fault);
}
