import { chainTimeMs, type LocalChain } from "../chain/chain.ts";
import { WITNESS_COUNT } from "../chain/schedule.ts";
import { type Replacement, replace, type Witness } from "../chain/witnesses.ts";
import { type ControlBody, ControlError, integerField, optionalInteger } from "./control-fields.ts";

const MAX_EVERY_MS = 365 * 24 * 60 * 60 * 1000;

const KINDS = ["witness_keys", "witnesses"] as const satisfies readonly Replacement[];
const FIELDS = ["kind", "count", "everyMs"];

export const WITNESS_FAULTS = { kinds: KINDS, fields: FIELDS } as const;

/** The repeated replacement, as it was requested. */
export function listRepeatedReplacement({ witnesses: { standing } }: LocalChain): object[] {
  if (standing === undefined) return [];
  return [{ kind: standing.kind, count: standing.count, everyMs: standing.everyMs }];
}

export function endRepeatedReplacement({ witnesses }: LocalChain): void {
  witnesses.standing = undefined;
}

export function isWitnessFault({ kind }: ControlBody): boolean {
  return KINDS.some((name) => name === kind);
}

/**
 * Replaces keys or witnesses at once; with `everyMs` also after each such time of the chain, until `count` is 0.
 * @throws ControlError for an invalid field.
 */
export function replaceWitnesses(
  chain: LocalChain,
  body: ControlBody,
): { address: string; signer: string }[] {
  const kind = KINDS.find((name) => name === body.kind);
  if (kind === undefined) throw new ControlError("kind", `must be one of ${KINDS.join(", ")}`);
  const unknown = Object.keys(body).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new ControlError(unknown, `is no field of "${kind}", which has count, everyMs`);
  const count = integerField(body, "count", [0, WITNESS_COUNT]);
  const everyMs = optionalInteger(body, "everyMs", [1, MAX_EVERY_MS]);
  const replaced = replace(chain.witnesses, kind, count);
  if (count === 0) endRepeatedReplacement(chain);
  else if (everyMs !== undefined)
    chain.witnesses.standing = { kind, count, everyMs, nextMs: chainTimeMs(chain) + everyMs };
  return replaced.map(({ address, signer }: Witness) => ({ address, signer: signer.address }));
}
