import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { keccak256Hex } from "./hash.ts";

const WORD_HEX = 64;

export function selectorOf(signature: string): string {
  return keccak256Hex(utf8ToBytes(signature)).slice(0, 8);
}

export function topicOf(signature: string): string {
  return keccak256Hex(utf8ToBytes(signature));
}

export const TRANSFER_TOPIC = topicOf("Transfer(address,address,uint256)");

/** The n-th argument word of call data as hex; missing bytes read as zeros, as in the EVM. */
export function wordAt(data: string, index: number): string {
  return data.slice(8 + index * WORD_HEX, 8 + (index + 1) * WORD_HEX).padEnd(WORD_HEX, "0");
}

export function uintAt(data: string, index: number): bigint {
  return BigInt(`0x${wordAt(data, index)}`);
}

/** The n-th argument as a 21-byte address; its upper 12 bytes are ignored, even a stray 41. */
export function addressAt(data: string, index: number): string {
  return `41${wordAt(data, index).slice(24)}`;
}

export function uintWord(value: bigint): string {
  return value.toString(16).padStart(WORD_HEX, "0");
}

export function addressWord(address: string): string {
  return address.slice(2).padStart(WORD_HEX, "0");
}

export function encodeString(text: string): string {
  const hex = bytesToHex(utf8ToBytes(text));
  const padded = hex.padEnd(Math.ceil(hex.length / WORD_HEX) * WORD_HEX, "0");
  return uintWord(32n) + uintWord(BigInt(hex.length / 2)) + padded;
}

const TRANSFER_SELECTOR = selectorOf("transfer(address,uint256)");

/** The call data of a TRC-20 `transfer` to a 21-byte hex address. */
export function transferCall(toAddress: string, units: bigint): string {
  return TRANSFER_SELECTOR + addressWord(toAddress) + uintWord(units);
}
