import { addressToHex } from "@daric/tron/address";
import { sha256Hex } from "@daric/tron/hash";
import type { AccountKeys, KeyPath } from "@daric/tron/keys/account-keys";
import { recoverSigner } from "@daric/tron/signature";
import { decodeRawData, encodeTransaction, transactionFromRaw } from "@daric/tron/transaction";
import { buildRawData, findDifference, gasKey, stakeKey } from "./build-transaction.ts";
import { must, type SignerConfig } from "./config.ts";
import { actingDestinations, type Destination } from "./destinations.ts";
import { appendRecord, type Journal } from "./journal.ts";
import { dayOf, findRefusal, type Intent, type Knowledge, oneLine, type SigningRequest } from "./policy.ts";

/** The inputs of a signature. */
export type Signer = {
  readonly config: SignerConfig;
  readonly keys: AccountKeys;
  readonly journal: Journal;
  readonly integrityKey: Uint8Array | undefined;
  /** the operator's list as it was last read; the journal has the times of each entry */
  readonly list: {
    readonly path: string;
    readonly text: string | undefined;
    readonly entries: readonly Destination[];
  };
  clock(): number;
};

/** The permanent result of a request: a signed protocol.Transaction, or the reason of the refusal. */
export type SigningOutcome =
  | { readonly txId: string; readonly transaction: Uint8Array; readonly refusal?: undefined }
  | { readonly refusal: string };

/**
 * Signs a request or refuses it: check the policy, build, decode again, write the intent to the journal, sign. A request
 * in the journal gets its earlier bytes.
 *
 * @throws Error if the journal cannot be written; nothing is signed then.
 */
export function signRequest(signer: Signer, request: SigningRequest): SigningOutcome {
  const before = signer.journal.intents.find(({ requestId }) => requestId === request.id);
  if (before !== undefined) return signIntent(signer, before);
  const intent = decideRequest(signer, request);
  if (typeof intent === "string") return { refusal: oneLine(intent) };
  appendRecord(signer.journal, { kind: "intent", intent }, signer.clock());
  return signIntent(signer, intent);
}

/** The intent, or the reason to refuse the request. Any error while reading the request is a reason. */
function decideRequest(signer: Signer, request: SigningRequest): Intent | string {
  try {
    const known = knowledgeOf(signer, request);
    const refusal = findRefusal(request, known);
    if (refusal !== undefined) return refusal;
    const movement = { config: signer.config, request, ...addressesOf(request, known, signer.keys) };
    const rawData = buildRawData(movement);
    const difference = findDifference(rawData, movement);
    if (difference !== undefined) return `the transaction as built differs in its ${difference}`;
    const { id: requestId, kind, merchantId, index, units, expiresAtMs } = request;
    const { currency, recipient } = kind === "sweep" ? request : { currency: null, recipient: null };
    const { from, to } = movement;
    const said = { requestId, kind, merchantId, index, currency, recipient, units, from, to, expiresAtMs };
    const rawHex = Buffer.from(rawData).toString("hex");
    return { ...said, day: dayOf(request, known), txId: sha256Hex(rawData), rawHex };
  } catch (error) {
    return `the request cannot be read: ${error instanceof Error ? error.message : error}`;
  }
}

function knowledgeOf(signer: Signer, { index }: SigningRequest): Knowledge {
  const { config, keys, journal, integrityKey, list, clock } = signer;
  const now = { entryTimes: journal.entryTimes, nowMs: clock() };
  const named = new Set(list.entries.map(({ merchantId }) => merchantId));
  return {
    config,
    clockMs: now.nowMs,
    ownAddress: keys.addressAt([0, index]),
    integrityKey,
    destinationsOf: (merchantId) => actingDestinations(merchantId, list.entries, now),
    merchants: named.size - (named.has("operator") ? 1 : 0),
    journal,
  };
}

/** Sender and receiver. The signer derives both; it takes neither from the request. */
function addressesOf(request: SigningRequest, known: Knowledge, keys: AccountKeys) {
  const { kind, merchantId, recipient, destination } = request;
  const payee = recipient === "operator" ? recipient : (merchantId ?? "");
  const listed = known.destinationsOf(payee).find(({ address }) => address === destination);
  if (kind === "sweep") return { from: known.ownAddress, to: listed?.address ?? "" };
  const from = kind === "top_up" ? keys.addressAt(gasKey) : (known.config.stakeAddress ?? "");
  return { from, to: known.ownAddress };
}

function signIntent({ keys }: Signer, { kind, index, txId, rawHex }: Intent): SigningOutcome {
  const operatorKey = kind === "top_up" ? gasKey : stakeKey;
  const path: KeyPath = kind === "sweep" ? [0, index] : operatorKey;
  const signature = keys.signAt(path, txId);
  const isRight = recoverSigner(txId, signature) === addressToHex(keys.addressAt(path));
  must(isRight, `the signature of ${txId} does not match its key: this machine has a fault`);
  const transaction = transactionFromRaw(decodeRawData(Buffer.from(rawHex, "hex")), [signature]);
  return { txId, transaction: encodeTransaction(transaction) };
}
