import { TRANSFER_TOPIC } from "@daric/tron/abi";
import type { EventLog } from "./parse-transaction-info.ts";

/** A Transfer event as its log says it: who, to whom, and a uint256 of units. */
export type TransferEvent = { readonly fromHex: string; readonly toHex: string; readonly rawValue: bigint };

const WORD = /^[0-9a-f]{64}$/;
/** Digits before the 20 bytes of an address in a 32-byte topic. */
const TOPIC_PADDING_CHARS = 24;

/** Whether a log is a Transfer event of this contract (`41…`), in whatever form. Logs name contracts by 20 bytes. */
export function isTransferOf(log: EventLog, contractHex: string): boolean {
  return log.topics[0] === TRANSFER_TOPIC && contractHex.endsWith(log.addressHex);
}

/**
 * Reads a log whose first topic is that of Transfer; undefined where it has not the form of ERC-20's event, two indexed
 * addresses and one word. No data is a value of 0.
 */
export function readTransferEvent({ topics, data }: EventLog): TransferEvent | undefined {
  const [, from, to] = topics;
  if (from === undefined || to === undefined || topics.length !== 3) return undefined;
  if (data !== "" && !WORD.test(data)) return undefined;
  const rawValue = data === "" ? 0n : BigInt(`0x${data}`);
  return { fromHex: addressInTopic(from), toHex: addressInTopic(to), rawValue };
}

/** The last 20 of 32 bytes: what the contract's own code takes for the address. */
function addressInTopic(topic: string): string {
  return `41${topic.slice(TOPIC_PADDING_CHARS)}`;
}
