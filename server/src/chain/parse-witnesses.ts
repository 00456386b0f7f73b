import { parseIsAccount } from "./parse-account.ts";
import { AnswerError, type JsonObject, readAddressHex, readList, readObject } from "./read-json.ts";

/** A witness and the key that it signs with: addresses in hex, most often the same. */
export type SigningWitness = { readonly witnessHex: string; readonly signerHex: string };

/** Far more than take turns on any chain of java-tron (27): each of them costs a call. */
const MAX_ACTIVE = 100;

/**
 * The addresses (hex) of the witnesses that take turns now, out of `listwitnesses`, which names every candidate.
 *
 * @throws AnswerError for anything else, and where there is none, or more than there can be.
 */
export function parseActiveWitnesses(answer: unknown): string[] {
  const list = readList(readObject(answer, "witness list").witnesses, "witnesses");
  const active = list
    .map((item) => readObject(item, "witness"))
    .filter(({ isJobs }) => isJobs === true)
    .map(({ address }) => readAddressHex(address, "witness address"));
  if (active.length === 0) throw new AnswerError("no witness is active");
  if (active.length > MAX_ACTIVE) throw new AnswerError(`${active.length} witnesses are active`);
  if (new Set(active).size < active.length) throw new AnswerError("a witness is named twice");
  return active;
}

/**
 * The key that a witness signs with, out of its account (`getaccount`): that of its witness permission, or its own
 * (java-tron AccountCapsule.getWitnessPermissionAddress).
 *
 * @throws AnswerError for anything else.
 */
export function parseSigner(answer: unknown, witnessHex: string): string {
  if (!parseIsAccount(answer, witnessHex)) return witnessHex;
  const { witness_permission: permission } = answer as JsonObject;
  if (permission === undefined) return witnessHex;
  const [key] = readList(readObject(permission, "witness_permission").keys, "keys");
  return key === undefined ? witnessHex : readAddressHex(readObject(key, "key").address, "key address");
}
