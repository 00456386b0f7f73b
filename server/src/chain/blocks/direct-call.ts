import { addressAt, selectorOf, wordAt } from "@daric/tron/abi";
import type { Contract } from "./parse-transaction.ts";

/** What a call of the USDT contract itself asks for. */
export type DirectCall = {
  readonly payerHex: string;
  readonly payeeHex: string;
  /** the word that says how much */
  readonly unitsHex: string;
};

const TRANSFER = selectorOf("transfer(address,uint256)");
const TRANSFER_FROM = selectorOf("transferFrom(address,address,uint256)");

/**
 * The `transfer` or `transferFrom` that a transaction asks this contract for; undefined where it asks for anything else.
 * Its arguments are read as the EVM reads them: what stands above the 20 bytes of an address is masked, bytes that are
 * missing are zeros, and those behind the last argument are nobody's. No money is ever booked by it: it says what the
 * logs of the call must add up to.
 */
export function directCallOf(contract: Contract, contractHex: string): DirectCall | undefined {
  if (contract.kind !== "vm" || contract.call?.contractHex !== contractHex) return undefined;
  const { dataHex, ownerHex } = contract.call;
  if (dataHex.startsWith(TRANSFER)) {
    return { payerHex: ownerHex, payeeHex: addressAt(dataHex, 0), unitsHex: wordAt(dataHex, 1) };
  }
  if (!dataHex.startsWith(TRANSFER_FROM)) return undefined;
  return { payerHex: addressAt(dataHex, 0), payeeHex: addressAt(dataHex, 1), unitsHex: wordAt(dataHex, 2) };
}
