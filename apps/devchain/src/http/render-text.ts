import { addressToBase58 } from "@daric/tron/address";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export function renderAddress(hex: string, visible: boolean): string {
  return visible ? addressToBase58(hex) : hex;
}

/** Bytes such as an account's name, given in hex: readable when visible. */
export function renderName(hex: string, visible: boolean): string {
  return visible ? new TextDecoder().decode(hexToBytes(hex)) : hex;
}

/** A text field such as resMessage: readable when visible, hex of its UTF-8 otherwise. */
export function renderText(text: string, visible: boolean): string {
  return visible ? text : bytesToHex(utf8ToBytes(text));
}
