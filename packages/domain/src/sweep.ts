import { machine } from "./machine.ts";

/**
 * The life of a sweep, one transfer out of a deposit address. Each of its transactions is final before the next one
 * is made. `expired`: its expiration lies before the time of a verified block, and no block has it; or the stake has
 * no energy after the activation. `failed`: a verified block has it, and it moved nothing.
 *
 * - PLANNED: chosen and priced; nothing was sent for it
 * - ACTIVATING: TRX for it is on its way to the address
 * - RESOURCED: the address has the energy, or the TRX to burn
 * - SIGNED: its bytes and their id are stored
 * - SENT: a node has received them
 * - SOLID: a verified block has them, and they moved the money
 * - RECLAIMED: the stake account has its delegated energy back; the end
 * - WAITING: its price is above the ceiling
 * - RETRY: a transaction of it expired or failed; it is planned again
 * - FROZEN: the token refuses the address, or the signer the request; an operator decides
 * - DROPPED: the plan was given up while none of its transactions could land; the end
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

/** The statuses of a sweep that is over: another one of its address may be planned. */
export const endedSweepStatuses: readonly SweepStatus[] = ["RECLAIMED", "DROPPED"];

/** The statuses of a sweep that leaves its address to a sweep of another coin. */
export const yieldingStatuses: readonly SweepStatus[] = ["WAITING", "FROZEN"];

/** Whether the money of a sweep is on its address: it was not sent, or the transfer failed. */
export function liesOnAddress(status: SweepStatus): boolean {
  return !["SENT", "SOLID", "RECLAIMED", "DROPPED"].includes(status);
}

/**
 * The life of a settlement, the sweeps of one plan for a merchant, a currency and a settlement account. It ends with
 * the last sweep.
 */
export const settlementMachine = machine({
  OPEN: { completed: "COMPLETED", failed: "FAILED" },
  COMPLETED: {},
  FAILED: {},
});
export const settlementStatuses = settlementMachine.states;
export type SettlementStatus = (typeof settlementStatuses)[number];
/** How a settlement ends; `SettlementEvent` is what a webhook says of it. */
export type SettlementEnd = (typeof settlementMachine.events)[number];
