import { headOf, type LocalChain, solidOf } from "../chain/chain.ts";

/** An error of a call, with the codes and texts of java-tron's TronJsonRpc. */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly code: number;
  /** a member `data` of the answer */
  readonly data: string | undefined = "{}";

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** An error of jsonrpc4j, the library below java-tron's methods. It has no data. */
export class RpcLibraryError extends RpcError {
  override readonly name = "RpcLibraryError";
  override readonly data = undefined;
}

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL = -32000;
export const TOO_MANY_RESULTS = -32005;

const HASH = /^(?:0x)?([0-9a-f]{64})$/i;
const ADDRESS = /^(?:0x)?(41)?([0-9a-f]{40})$/i;
const HEX = /^(?:0x)?((?:[0-9a-f]{2})*)$/i;
const QUANTITY = /^0x[0-9a-f]{1,13}$/i;
const DECIMAL = /^\d{1,15}$/;

export function invalidParams(text: string): RpcError {
  return new RpcError(INVALID_PARAMS, text);
}

/** A number as its shortest hex. */
export function rpcQuantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

/** Hex bytes with 0x. */
export function rpcBytes(hex: string): string {
  return `0x${hex}`;
}

/** A 21-byte hex address as the 20 bytes of Ethereum. */
export function rpcAddress(address: string): string {
  return `0x${address.slice(2)}`;
}

/** A parameter as text; a number is read as text, as Jackson does. @throws RpcError for anything else. */
export function rpcText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw new RpcLibraryError(INVALID_PARAMS, "method parameters invalid");
}

/** A transaction or block id, as lower-case hex without 0x. @throws RpcError for anything else. */
export function readRpcHash(value: unknown): string {
  const hash = HASH.exec(rpcText(value))?.[1];
  if (hash === undefined) throw invalidParams("invalid hash value");
  return hash.toLowerCase();
}

/** An address of 20 bytes, or of 21 with 41 before, as 21-byte hex. @throws RpcError for anything else. */
export function readRpcAddress(value: unknown): string {
  const digits = ADDRESS.exec(rpcText(value))?.[2];
  if (digits === undefined) throw invalidParams("invalid address hash value");
  return `41${digits.toLowerCase()}`;
}

/** Hex bytes without 0x; "" when absent. @throws RpcError for anything else. */
export function readBytes(value: unknown): string {
  if (value === undefined || value === null) return "";
  const hex = HEX.exec(rpcText(value))?.[1];
  if (hex === undefined) throw invalidParams("invalid hex string");
  return hex.toLowerCase();
}

/** A quantity in hex. @throws RpcError with the text for anything else. */
export function readQuantity(value: unknown, refusal: string): number {
  const text = rpcText(value);
  if (!QUANTITY.test(text)) throw invalidParams(refusal);
  return Number(text);
}

/** The number of a block that a tag or a number names; decimal digits are a number too. @throws RpcError for `pending`, and for other texts. */
export function readBlockNumber(chain: LocalChain, value: unknown): number {
  const text = rpcText(value);
  const tagged = findTagged(chain, text);
  if (tagged !== undefined) return tagged;
  if (QUANTITY.test(text) || DECIMAL.test(text)) return Number(text);
  throw invalidParams("invalid block number");
}

/** The number of a block that a tag names; undefined for another text. @throws RpcError for `pending`. */
export function findTagged(chain: LocalChain, text: string): number | undefined {
  const tag = text.toLowerCase();
  if (tag === "pending") throw invalidParams("TAG pending not supported");
  if (tag === "latest") return headOf(chain);
  if (tag === "finalized") return solidOf(chain);
  return tag === "earliest" ? 0 : undefined;
}

/** Balances and calls are of the newest state alone. @throws RpcError for every other block. */
export function requireLatest(value: unknown): void {
  const text = rpcText(value).toLowerCase();
  if (text === "latest") return;
  if (["earliest", "pending", "finalized"].includes(text))
    throw invalidParams("TAG [earliest | pending | finalized] not supported");
  if (QUANTITY.test(text) || DECIMAL.test(text))
    throw invalidParams("QUANTITY not supported, just support TAG as latest");
  throw invalidParams("invalid block number");
}
