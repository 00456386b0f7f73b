import { machine } from "./machine.ts";

/**
 * The life of a sweep, one transfer out of a deposit address. A transaction of it is final before the next one is made. `expired`:
 * its expiration lies behind the time of a verified block, and no block has it; or the stake has no energy after the activation. `failed`: a verified block has it, and it moved
 * nothing.
 *
 * - PLANNED: chosen and priced; nothing was sent for it
 * - ACTIVATING: TRX for it is on its way to the address
 * - RESOURCED: the address has the energy, or the TRX to burn
 * - SIGNED: its bytes and their id are stored
 * - SENT: a node was given them
 * - SOLID: a verified block has them, and they moved the money
 * - RECLAIMED: what was delegated for it is back; the end
 * - WAITING: its price is above the ceiling
 * - RETRY: a transaction of it expired or failed; it is planned again
 * - FROZEN: the token refuses the address, or the signer the request; an operator decides
 * - DROPPED: the plan was given up while nothing of it could land; the end
 */
export const sweepMachine = machine({
  PLANNED: {
    funded: "ACTIVATING",
    resourced: "RESOURCED",
    priced_out: "WAITING",
    frozen: "FROZEN",
    dropped: "DROPPED",
  },
  ACTIVATING: { resourced: "RESOURCED", expired: "RETRY", failed: "RETRY", frozen: "FROZEN" },
  RESOURCED: { signed: "SIGNED", priced_out: "WAITING", expired: "RETRY", frozen: "FROZEN" },
  SIGNED: { sent: "SENT", expired: "RETRY" },
  SENT: { landed: "SOLID", expired: "RETRY", failed: "RETRY" },
  SOLID: { reclaimed: "RECLAIMED" },
  RECLAIMED: {},
  WAITING: { planned: "PLANNED", frozen: "FROZEN", dropped: "DROPPED" },
  RETRY: { planned: "PLANNED", frozen: "FROZEN", dropped: "DROPPED" },
  FROZEN: { planned: "PLANNED", dropped: "DROPPED" },
  DROPPED: {},
});
export const sweepStatuses = sweepMachine.states;
export type SweepStatus = (typeof sweepStatuses)[number];
export type SweepEvent = (typeof sweepMachine.events)[number];

/** The sweep is over: another one of its address may be planned. */
export const endedSweepStatuses: readonly SweepStatus[] = ["RECLAIMED", "DROPPED"];

/** Its money lies on the address: it was not sent, or did not get away. */
export function liesOnAddress(status: SweepStatus): boolean {
  return !["SENT", "SOLID", "RECLAIMED", "DROPPED"].includes(status);
}

/** The sweeps of one plan for a merchant, a currency and a settlement account: it ends with the last of them. */
export const settlementMachine = machine({
  OPEN: { completed: "COMPLETED", failed: "FAILED" },
  COMPLETED: {},
  FAILED: {},
});
export const settlementStatuses = settlementMachine.states;
export type SettlementStatus = (typeof settlementStatuses)[number];
