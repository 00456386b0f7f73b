import { amountFromUnits, formatAmount } from "../domain/money.ts";
import type { SettlementContext, Settling } from "./context.ts";
import type { SettlementControl } from "./control-store.ts";
import { findFreeStake } from "./delegation.ts";
import { findGas } from "./judge-batch.ts";
import { findSignerState } from "./request-store.ts";
import { listDestinations } from "./watch-store.ts";

/** Below this the gas wallet pays for a dozen more sweeps at most. */
const LOW_GAS_SUN = 100_000_000n;
/** The signer says that it runs with every poll. */
const SILENT_SECONDS = 60;

/** What settlement depends on beside the chain. */
export type SettlementWatch = {
  /** Whether there is a signer to ask: without one nothing is planned here, and what was signed offline is followed. */
  look(settling: Settling, control: SettlementControl): Promise<boolean>;
  /** what is wrong, in words */
  faults(): readonly string[];
};

/** Looks at the gas wallet, the stake, the signer and its list. What is wrong is warned of once, and shown while it lasts. */
export function createWatch(context: SettlementContext): SettlementWatch {
  const { log, metrics } = context;
  let faults: readonly string[] = [];
  let newest: bigint | undefined;
  const warned = new Set<string>();
  const warn = (event: "gas_wallet_short" | "signer_silent", fault: string | undefined): string[] => {
    if (fault === undefined) warned.delete(event);
    else if (!warned.has(event)) {
      warned.add(event);
      log.warn({ event, reason: fault }, "settlement cannot go on for long");
    }
    return fault === undefined ? [] : [fault];
  };

  async function lookAtList(): Promise<void> {
    const isFirst = newest === undefined;
    for (const entry of await listDestinations(context.db, newest ?? 0n)) {
      newest = entry.counter;
      if (isFirst && !entry.isWaiting) continue;
      const { counter, merchantId, name, address, actsFrom } = entry;
      metrics.alarms.inc({ alarm: "new_destination" });
      log.error(
        {
          event: "new_destination",
          counter: String(counter),
          merchant_id: merchantId,
          name,
          address,
          acts_from: actsFrom.toISOString(),
        },
        "the signer's list has a new wallet: was it the operator?",
      );
    }
    newest ??= 0n;
  }

  return {
    faults: () => faults,
    look: async (settling, control) => {
      const signer = await findSignerState(context.db);
      await lookAtList();
      const gas = await findGas(context, settling);
      metrics.gasSun.set(Number(gas));
      metrics.settlementPaused.set(settling.isPaused ? 1 : 0);
      if (context.config.settlement.stakeAddress !== undefined)
        metrics.stakeFreeSun.set(Number((await findFreeStake(context, settling)).sun));
      const silence = signer && (signer.ageSeconds ?? Number.POSITIVE_INFINITY);
      if (silence !== undefined) metrics.signerSilence.set(silence);
      faults = [
        ...warn("gas_wallet_short", gas < LOW_GAS_SUN ? gasFault(settling.gasAddress, gas) : undefined),
        ...warn("signer_silent", silence === undefined ? undefined : signerFault(silence)),
        ...(control.pauseReason === null ? [] : [`paused: ${control.pauseReason}`]),
      ];
      return signer !== undefined;
    },
  };
}

function gasFault(address: string, gas: bigint): string {
  return `the gas wallet ${address} holds ${formatAmount(amountFromUnits(gas))} TRX: fund it`;
}

function signerFault(silence: number): string | undefined {
  return silence <= SILENT_SECONDS ? undefined : `the signer has been silent for ${Math.round(silence)} s`;
}
