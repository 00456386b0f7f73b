import { advanceTime, chainTimeMs, headOf, type LocalChain, mineBlock, solidOf } from "../chain/chain.ts";
import { depthOf, ReorgRefusal, reorganize } from "../chain/reorganize.ts";
import { SOLID_LAG } from "../chain/schedule.ts";
import { revertTo, type Snapshots, takeSnapshot } from "../chain/snapshot.ts";
import { giveFromTreasury } from "../chain/treasury.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { DAY_MS, SLOT_MS } from "../ledger/limits.ts";
import {
  addressField,
  amountField,
  type ControlBody,
  ControlError,
  integerField,
  optionalInteger,
  stringField,
  txIdsField,
} from "./control-fields.ts";

/** A chain whose blocks and time requests move. */
export type MovedChain = { readonly chain: LocalChain; readonly snapshots: Snapshots };

const MAX_MINED_BLOCKS = 10_000;
const MAX_STEP_MS = 10 * DAY_MS;
const MAX_ADVANCE_MS = 3650 * DAY_MS;

/** The requests that move the chain, by the name of their path. @throws ControlError for a bad body, with nothing done. */
export const CHAIN_REQUESTS = {
  faucet: { fields: ["address", "trx", "usdt"], answer: faucet },
  mine: { fields: ["blocks", "stepMs"], answer: mine },
  reorg: { fields: ["depth", "drop", "fail", "move"], answer: reorg },
  time: { fields: ["advanceMs"], answer: time },
  snapshot: { fields: [], answer: snapshot },
  revert: { fields: ["id"], answer: revert },
} as const satisfies Record<string, ControlEndpoint<MovedChain>>;

/** A request of the control API: its fields, and its answer. */
export type ControlEndpoint<Target> = {
  readonly fields: readonly string[];
  readonly answer: (target: Target, body: ControlBody) => object;
};

function faucet({ chain }: MovedChain, body: ControlBody): { readonly txids: readonly string[] } {
  const address = addressField(body, "address");
  const gift = { sun: amountField(body, "trx"), usdtUnits: amountField(body, "usdt") };
  if (gift.sun === 0n && gift.usdtUnits === 0n) {
    throw new ControlError("trx", "or usdt must be given: there is nothing to send");
  }
  try {
    return { txids: giveFromTreasury(chain, address, gift) };
  } catch (error) {
    if (error instanceof BroadcastRefusal)
      throw new ControlError("address", `cannot be paid: ${error.message}`);
    throw error;
  }
}

function mine({ chain }: MovedChain, body: ControlBody): { readonly head: number; readonly solid: number } {
  const blocks = integerField(body, "blocks", [1, MAX_MINED_BLOCKS]);
  const stepMs = optionalInteger(body, "stepMs", [SLOT_MS, MAX_STEP_MS]) ?? SLOT_MS;
  if (stepMs % SLOT_MS !== 0) throw new ControlError("stepMs", `must be a multiple of ${SLOT_MS}`);
  for (let mined = 0; mined < blocks; mined += 1) mineBlock(chain, stepMs);
  return { head: headOf(chain), solid: solidOf(chain) };
}

function reorg(
  { chain }: MovedChain,
  body: ControlBody,
): { readonly oldHead: number; readonly newHead: number } {
  const named = {
    drop: txIdsField(body, "drop"),
    fail: txIdsField(body, "fail"),
    move: txIdsField(body, "move"),
  };
  const isDepthLeftOut = body.depth === undefined && Object.values(named).some((ids) => ids.length > 0);
  const oldHead = headOf(chain);
  try {
    const depth = isDepthLeftOut ? depthOf(chain, named) : integerField(body, "depth", [1, SOLID_LAG]);
    reorganize(chain, { ...named, depth });
  } catch (error) {
    if (error instanceof ReorgRefusal) throw new ControlError(error.field, error.message);
    throw error;
  }
  return { oldHead, newHead: headOf(chain) };
}

function time({ chain }: MovedChain, body: ControlBody): { readonly timeMs: number } {
  advanceTime(chain, integerField(body, "advanceMs", [1, MAX_ADVANCE_MS]));
  return { timeMs: chainTimeMs(chain) };
}

function snapshot({ chain, snapshots }: MovedChain): { readonly id: string; readonly head: number } {
  return { id: takeSnapshot(snapshots, chain), head: headOf(chain) };
}

function revert(
  { chain, snapshots }: MovedChain,
  body: ControlBody,
): { readonly head: number; readonly solid: number; readonly timeMs: number } {
  if (!revertTo(snapshots, chain, stringField(body, "id")))
    throw new ControlError(
      "id",
      "must be of a snapshot that was taken since the start and not reverted past",
    );
  return { head: headOf(chain), solid: solidOf(chain), timeMs: chainTimeMs(chain) };
}
