import type { ControlTarget } from "./http/control-api.ts";
import { CHAIN_REQUESTS } from "./http/control-chain.ts";
import { addFault, endFaults, FAULT_FIELDS, type ListedFault, listFaults } from "./http/control-faults.ts";
import { checkFields } from "./http/control-fields.ts";

/** The control API without HTTP. Each call rejects, with nothing done, for what `/devchain` answers with status 400. */
export type InProcessControl = {
  /** Mines blocks at once, one by default. `stepMs` is the chain time of each, 3000 by default: more leaves missed slots. */
  mine(blocks?: number, options?: { stepMs?: number }): Promise<{ head: number; solid: number }>;
  /** Sends money from the treasury by transactions, which wait for a block. Amounts are decimals of TRX and USDT. */
  faucet(address: string, gift: { trx?: string; usdt?: string }): Promise<{ txids: readonly string[] }>;
  /** Replaces the newest blocks. Without `depth`: down to the oldest of the transactions named. */
  reorg(plan: DevchainReorg): Promise<{ oldHead: number; newHead: number }>;
  /** Moves time: the next block is at least that many milliseconds later. */
  time(advanceMs: number): Promise<{ timeMs: number }>;
  /** Keeps the chain as it is, pool and time included; returns an id for `revert`. */
  snapshot(): Promise<string>;
  /** Takes the chain back to a snapshot, as often as needed. Later snapshots are gone. */
  revert(id: string): Promise<{ head: number; solid: number; timeMs: number }>;
  readonly faults: {
    /** Makes the node at `url` answer falsely until `clear`. */
    add(fault: DevchainFault): Promise<void>;
    list(): Promise<readonly ListedFault[]>;
    clear(): Promise<void>;
  };
};

export type DevchainReorg = {
  /** blocks, 1 to 18 */
  depth?: number;
  /** ids of transactions that vanish */
  drop?: readonly string[];
  /** ids of transactions that fail */
  fail?: readonly string[];
  /** ids of transactions that come one block later */
  move?: readonly string[];
};

type Arrival = { txId: string; from: string; to: string; amount: string; held?: string };

/** A false answer; the README says what each kind does. Without `times` it has no end. */
export type DevchainFault = { times?: number } & (
  | (Arrival & { kind: "log"; contract?: string })
  | (Arrival & { kind: "internal"; rejected?: boolean })
  | { kind: "infos"; path?: string; drop?: readonly string[] }
  | { kind: "status"; path: string; status: number }
  | { kind: "body"; path: string; body: string }
  | { kind: "delay"; path: string; delayMs: number }
  | { kind: "height"; path: string; by: number }
  | { kind: "solid"; back: number | "head" }
  | { kind: "internals"; from?: number; to?: number }
  | { kind: "hidden"; txId: string }
  | { kind: "still" }
  | { kind: "witness_keys" | "witnesses"; count: number; everyMs?: number }
);

/** Controls a chain of this process by the rules of the control API. */
export function controlOf(target: ControlTarget): InProcessControl {
  const { mine, faucet, reorg, time, snapshot, revert } = CHAIN_REQUESTS;
  return {
    mine: async (blocks = 1, options = {}) =>
      mine.answer(target, checkFields({ ...options, blocks }, mine.fields)),
    faucet: async (address, gift) => faucet.answer(target, checkFields({ ...gift, address }, faucet.fields)),
    reorg: async (plan) => reorg.answer(target, checkFields({ ...plan }, reorg.fields)),
    time: async (advanceMs) => time.answer(target, { advanceMs }),
    snapshot: async () => snapshot.answer(target).id,
    revert: async (id) => revert.answer(target, { id }),
    faults: {
      add: async (fault) => {
        addFault(target, checkFields({ ...fault }, FAULT_FIELDS));
      },
      list: async () => listFaults(target).faults,
      clear: async () => {
        endFaults(target);
      },
    },
  };
}
