import { TRANSFER_TOPIC } from "@daric/tron/abi";
import type { EventLog } from "./parse-transaction-info.ts";
import { isHex } from "./read-json.ts";

export type TransferEvent = { readonly fromHex: string; readonly toHex: string; readonly rawValue: bigint };

const WORD_CHARS = 64;
/** Words below 2^48, as nearly all amounts are, are read as numbers in a fifth of the time. */
const SMALL_CHARS = 12;
const ZEROS = "0".repeat(WORD_CHARS - SMALL_CHARS);
/** Digits before the 20 bytes of an address in a 32-byte topic. */
const TOPIC_PADDING_CHARS = 24;

/** Whether a log is a Transfer event of this contract (`41…`). Logs name contracts by 20 bytes. */
export function isTransferOf(log: EventLog, contractHex: string): boolean {
  return log.topics[0] === TRANSFER_TOPIC && contractHex.endsWith(log.addressHex);
}

/** Reads a Transfer event; undefined unless it has ERC-20's form: two indexed addresses and one word. No data means 0. */
export function readTransferEvent({ topics, data }: EventLog): TransferEvent | undefined {
  const [, from, to] = topics;
  if (from === undefined || to === undefined || topics.length !== 3) return undefined;
  if (!isHex(from, TOPIC_PADDING_CHARS) || !isHex(to, TOPIC_PADDING_CHARS)) return undefined;
  const rawValue = readWord(data);
  if (rawValue === undefined) return undefined;
  return { fromHex: addressInTopic(from), toHex: addressInTopic(to), rawValue };
}

function readWord(data: string): bigint | undefined {
  if (data === "") return 0n;
  if (data.length !== WORD_CHARS) return undefined;
  if (data.slice(0, ZEROS.length) !== ZEROS) return isHex(data) ? BigInt(`0x${data}`) : undefined;
  let value = 0;
  for (let at = ZEROS.length; at < WORD_CHARS; at += 1) {
    const code = data.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) value = value * 16 + code - 0x30;
    else if (code >= 0x61 && code <= 0x66) value = value * 16 + code - 0x57;
    else return undefined;
  }
  return BigInt(value);
}

function addressInTopic(topic: string): string {
  return `41${topic.slice(TOPIC_PADDING_CHARS)}`;
}
