import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isAddress } from "@daric/tron/address";
import { CODE, must, parseObject, type SignerConfig, toJson } from "./config.ts";

/**
 * An entry of the operator's list: the wallet for a merchant's money, or for the operator's own (merchant
 * "operator").
 */
export type Destination = {
  /** grows from entry to entry, so that no old one can be added again */
  readonly counter: number;
  /** a uuid, or "operator" */
  readonly merchantId: string;
  readonly name: string;
  /** base58check; null withdraws the merchant's destination */
  readonly address: string | null;
  /** minor units of this merchant's money that the operator may take in a calendar month (UTC), by code; of any other coin none */
  readonly feeCeiling: Readonly<Record<string, bigint>>;
  /** the merchant's earlier wallets stay in effect beside this one, which else replaces them */
  readonly isAdditional?: true;
  /** the keys that may move its money, as the operator confirmed them: `own`, or the service's digest of its permissions */
  readonly permissions?: string;
};

/** When the signer first saw an entry, and when it takes effect. */
export type EntryTimes = { readonly digest: string; readonly seenMs: number; readonly actsFromMs: number };

/** A time, with the entries that were seen by then. */
type Moment = { readonly entryTimes: ReadonlyMap<number, EntryTimes>; readonly nowMs: number };

/** A change of a merchant's destination waits this long, so that the operator can notice it. */
const DELAY_MS = { live: 24 * 60 * 60_000, devnet: 5_000 };
const UNSIGNED = "the operator's key did not sign it for this seed and network";
const MERCHANT = /^(operator|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** How long a new entry waits: not at all if it is a merchant's first one, or a withdrawal. */
export function delayOf(entry: Destination, list: readonly Destination[], network: string): number {
  const isOnly = list.filter(({ merchantId }) => merchantId === entry.merchantId).length === 1;
  if (isOnly || entry.address === null) return 0;
  return network === "devnet" ? DELAY_MS.devnet : DELAY_MS.live;
}

/**
 * A merchant's entries in effect: the newest one that is not additional, and the additional ones after it. None
 * after a withdrawal.
 */
export function actingDestinations(merchantId: string, list: readonly Destination[], at: Moment) {
  const acts = ({ counter }: Destination) => (at.entryTimes.get(counter)?.actsFromMs ?? Infinity) <= at.nowMs;
  const acting = list.filter((entry) => entry.merchantId === merchantId && acts(entry));
  const from = acting.findLastIndex(({ isAdditional }) => isAdditional === undefined);
  return acting.slice(Math.max(from, 0)).filter(({ address }) => address !== null);
}

/** The fault of an entry's fields, whatever its signature; undefined if there is none. */
export function faultOfDestination(entry: Destination) {
  const { counter, merchantId, name, address, feeCeiling, isAdditional, permissions = "own" } = entry;
  if (!Number.isSafeInteger(counter) || counter < 1) return "counter must be a whole number from 1 on";
  if (!MERCHANT.test(merchantId)) return "merchant must be the id of a merchant, or operator";
  if (!/^[^\p{Cc}\p{Cf}]{1,120}$/u.test(name)) return "name must have 1 to 120 visible characters";
  if (address !== null && !isAddress(String(address))) return `address ${address} is no TRON address`;
  if (!/^(own|[0-9a-f]{32})$/.test(permissions)) return "permissions must be own, or a digest";
  const mayAdd = isAdditional === true && address !== null && merchantId !== "operator";
  if (isAdditional !== undefined && !mayAdd) return "only a wallet of a merchant can be additional";
  const isRight = Object.entries(feeCeiling).every(([code, units]) => CODE.test(code) && units >= 0n);
  return isRight ? undefined : "the fee ceiling must be amounts by code";
}

/** An entry as a line of `destinations.jsonl`. */
export function signDestination(entry: Destination, config: SignerConfig, operatorKey: KeyObject): string {
  const signature = sign(null, signedBytes(entry, config), operatorKey).toString("hex");
  return `${toJson({ ...entry, signature })}\n`;
}

/**
 * The entries of `destinations.jsonl`, in their order; a line counts once its end is written.
 *
 * @throws SignerError with the line that the operator did not sign for this seed and network, or whose
 * counter does not grow.
 */
export function parseDestinations(text: string, config: SignerConfig): Destination[] {
  const list: Destination[] = [];
  const x = Buffer.from(config.operatorPublicKey, "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  for (const [index, line] of text.split("\n").slice(0, -1).entries()) {
    const place = `destinations.jsonl line ${index + 1}`;
    const { signature, ...fields } = parseObject(line, place);
    const ceilings = Object.entries<unknown>(Object(fields.feeCeiling));
    const given = Object.fromEntries(ceilings.map(([code, units]) => [code, unitsOf(units)]));
    // Each entry says both of these; one that is left out is a fault.
    const feeCeiling: Destination["feeCeiling"] = { USDT: -1n, TRX: -1n, ...given };
    const entry = { ...fields, feeCeiling } as Destination;
    const last = list.at(-1)?.counter ?? 0;
    let fault = faultOfDestination(entry);
    if (entry.counter <= last) fault ??= `counter ${entry.counter} is not above ${last}`;
    const signed = Buffer.from(String(signature), "hex");
    if (!fault && !verify(null, signedBytes(entry, config), key, signed)) fault = UNSIGNED;
    must(fault === undefined, `${place}: ${fault}`);
    list.push(entry);
  }
  return list;
}

function unitsOf(text: unknown): bigint {
  return typeof text === "string" && /^\d{1,18}$/.test(text) ? BigInt(text) : -1n;
}

function signedBytes(entry: Destination, { genesisId, xpubFingerprint }: SignerConfig): Buffer {
  const { counter, merchantId, name, address, feeCeiling, isAdditional, permissions } = entry;
  const place = ["daric destination 1", genesisId, xpubFingerprint, merchantId, name, address];
  const { USDT, TRX, ...others } = feeCeiling;
  const beside = [isAdditional && "additional", permissions && `moved by ${permissions}`].filter(Boolean);
  const more = Object.entries(others).map(([code, units]) => `at most ${units} ${code}`);
  return Buffer.from(JSON.stringify([...place, String(USDT), String(TRX), counter, ...beside, ...more]));
}

/** The SHA-256 of an entry's signed bytes, which identifies the entry in the journal. */
export function digestOfDestination(entry: Destination, config: SignerConfig): string {
  return createHash("sha256").update(signedBytes(entry, config)).digest("hex");
}
