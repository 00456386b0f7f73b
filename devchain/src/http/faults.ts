import type { LocalChain } from "../chain/chain.ts";
import { chainTimeMs } from "../chain/chain.ts";
import { WITNESS_COUNT } from "../chain/schedule.ts";
import { type Replacement, replace, type Witness } from "../chain/witnesses.ts";
import { type ControlBody, ControlError, integerField, optionalInteger } from "./control-fields.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS: readonly Replacement[] = ["witness_keys", "witnesses"];

export const FAULT_FIELDS = ["kind", "count", "everyMs"] as const;

/** What a chain does to its watchers on purpose, as it stands. */
export function describeFaults({ witnesses }: LocalChain): object {
  const { standing } = witnesses;
  return {
    standing:
      standing === undefined
        ? []
        : [{ kind: standing.kind, count: standing.count, everyMs: standing.everyMs }],
  };
}

/**
 * Replaces keys of witnesses, or witnesses, at once; with `everyMs` again after each such time of the chain, until `count`
 * is 0.
 */
export function makeFault(chain: LocalChain, body: ControlBody): object {
  const kind = KINDS.find((one) => one === body.kind);
  if (kind === undefined) throw new ControlError("kind", `must be one of ${KINDS.join(", ")}`);
  const count = integerField(body, "count", [0, WITNESS_COUNT]);
  const everyMs = optionalInteger(body, "everyMs", [1, 365 * DAY_MS]);
  const replaced = replace(chain.witnesses, kind, count);
  if (count === 0) chain.witnesses.standing = undefined;
  else if (everyMs !== undefined)
    chain.witnesses.standing = { kind, count, everyMs, nextMs: chainTimeMs(chain) + everyMs };
  return { kind, replaced: replaced.map(describe), ...describeFaults(chain) };
}

function describe({ address, signer }: Witness): object {
  return { address, signer: signer.address };
}
