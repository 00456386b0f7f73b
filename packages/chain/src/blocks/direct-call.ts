import type { Token } from "@daric/domain/asset";
import { addressAt, selectorOf, wordAt } from "@daric/tron/abi";
import type { Contract } from "./parse-transaction.ts";

export type DirectCall = {
  readonly contractHex: string;
  readonly payerHex: string;
  readonly payeeHex: string;
  readonly unitsHex: string;
};

const TRANSFER = selectorOf("transfer(address,uint256)");
const TRANSFER_FROM = selectorOf("transferFrom(address,address,uint256)");

/**
 * The `transfer` or `transferFrom` call of one of these tokens, if it is one. Arguments are read as the EVM does: bytes above an
 * address are masked, missing bytes are zero, extra bytes are ignored. The call credits nothing; its logs must match it.
 */
export function directCallOf(contract: Contract, tokens: readonly Token[]): DirectCall | undefined {
  if (contract.kind !== "vm" || contract.call === undefined) return undefined;
  const { contractHex, dataHex, ownerHex } = contract.call;
  if (!tokens.some((token) => token.contractHex === contractHex)) return undefined;
  if (dataHex.startsWith(TRANSFER)) {
    return { contractHex, payerHex: ownerHex, payeeHex: addressAt(dataHex, 0), unitsHex: wordAt(dataHex, 1) };
  }
  if (!dataHex.startsWith(TRANSFER_FROM)) return undefined;
  return {
    contractHex,
    payerHex: addressAt(dataHex, 0),
    payeeHex: addressAt(dataHex, 1),
    unitsHex: wordAt(dataHex, 2),
  };
}
