import { addressFromText } from "@daric/tron/address";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A request with its parameters, from the query or the body. */
export type ApiRequest = {
  readonly params: Readonly<Record<string, unknown>>;
  /** addresses in base58 and texts readable, instead of hex */
  readonly visible: boolean;
  /** /walletsolidity reads at the solid block, /wallet at the head */
  readonly cursor: "head" | "solid";
  /** the block that a node stands still at, or that its solid cursor lags at, instead of the chain's own */
  readonly asOf?: number;
};

/** An error as nodes answer bad input: `{"Error": "class … : …"}` with status 200. */
export class RequestRefusal extends Error {
  override readonly name = "RequestRefusal";
  /** the Java class in the text; "" leaves the bare message */
  readonly javaClass: string;

  constructor(javaClass: string, text: string) {
    super(text);
    this.javaClass = javaClass;
  }
}

const INT64_TEXT = /^-?\d{1,19}$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A string parameter, "" when absent. A number is accepted as text. @throws RequestRefusal for any other type. */
export function textParam({ params }: ApiRequest, name: string): string {
  const value = params[name];
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw parseError(`${name} must be a string`);
}

export function intParam({ params }: ApiRequest, name: string): bigint {
  return int64(params[name], name);
}

/** A boolean parameter, false when absent; query strings carry it as text. */
export function flagParam({ params }: ApiRequest, name: string): boolean {
  return params[name] === true || params[name] === "true";
}

/** Hex bytes, lower-cased and without 0x; "" when absent. */
export function hexParam(request: ApiRequest, name: string): string {
  return hexBytes(textParam(request, name));
}

/** The memo `extra_data` as hex: text when visible, hex otherwise. */
export function memoParam(request: ApiRequest): string {
  return nameParam(request, "extra_data");
}

/** Bytes such as a memo or a name, as hex. @throws RequestRefusal for bad hex. */
export function nameParam(request: ApiRequest, name: string): string {
  return nameBytes(textParam(request, name), request.visible);
}

/** Reads bytes that are text when visible and hex otherwise. @throws RequestRefusal for bad hex. */
export function nameBytes(text: string, visible: boolean): string {
  return visible ? bytesToHex(utf8ToBytes(text)) : hexBytes(text);
}

/** An address parameter as 21-byte hex, in the form that `visible` requires. */
export function addressParam(request: ApiRequest, name: string): string {
  const text = textParam(request, name);
  if (text === "") return "";
  return readAddress(text, request.visible);
}

/**
 * Reads an address: base58 when visible, hex otherwise. @throws RequestRefusal with a node's error for the other
 * form.
 */
export function readAddress(text: string, visible: boolean): string {
  if (!visible) return hexBytes(text);
  // Clients that set visible still send hex sometimes.
  const address = addressFromText(text);
  if (address === undefined) {
    throw parseError("INVALID base58 address");
  }
  return address;
}

/** Reads an int64 from a JSON number or decimal string. @throws RequestRefusal for anything else. */
export function int64(value: unknown, name: string): bigint {
  if (value === undefined || value === null || value === "") return 0n;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && INT64_TEXT.test(value)) {
    const wide = BigInt(value);
    if (wide >= MIN_INT64 && wide <= MAX_INT64) return wide;
  }
  throw parseError(`${name} must be an int64`);
}

/** Reads hex bytes, lower-cased and without 0x. @throws RequestRefusal for anything else. */
export function hexBytes(text: string): string {
  const hex = text.replace(/^0x/i, "").toLowerCase();
  if (/^([0-9a-f]{2})*$/.test(hex)) return hex;
  throw parseError("INVALID hex String");
}

export function parseError(text: string): RequestRefusal {
  return new RequestRefusal("org.tron.core.services.http.JsonFormat$ParseException", text);
}
