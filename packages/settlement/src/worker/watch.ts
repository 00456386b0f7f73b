import { TOKEN_TRANSFER_ENERGY } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { findAudited, insertAuditEntry } from "@daric/runtime/audit-store";
import type { SettlementContext, Settling, WalletGuard } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { findFreeStake, stakeFor } from "../energy/delegation.ts";
import { findGas } from "../plan/decide-batch.ts";
import { describeUnrated } from "../plan/small-sums.ts";
import { findSignerState } from "../signer-store.ts";
import type { SweptTo } from "../wallet-store.ts";
import { createWalletGuard } from "./wallet-guard.ts";
import { listDestinations, type SignerDestination } from "./watch-store.ts";

/** Below this the gas wallet pays for at most a dozen more sweeps. */
const LOW_GAS_SUN = 100_000_000n;
/** A signer without a sign of life for this long is silent. It writes one at every poll. */
const SILENT_SECONDS = 60;
/** An idle node's solid block is two blocks older than ours; one that is a minute behind is named. */
const BLOCKS_BEHIND = 20;

const consequences = {
  gas_wallet_short: "cannot go on for long",
  signer_silent: "waits",
  node_behind: "goes on with the other nodes",
} as const;

/** The watch over the gas wallet, the stake and the signer. */
export type SettlementWatch = {
  readonly guard: WalletGuard;
  /**
   * Checks all of them. Returns whether a signer has run here: without one nothing is planned, and only offline
   * signatures are followed.
   */
  check(settling: Settling, control: SettlementControl): Promise<boolean>;
  /** a sentence for each fault */
  faults(): readonly string[];
  /** the result of the last check; undefined before the first one */
  found(): WatchedAccounts | undefined;
};

/** The accounts that pay for sweeps, and the signer. */
export type WatchedAccounts = {
  /** in sun */
  readonly gas: bigint;
  readonly isGasLow: boolean;
  /**
   * stake in sun that can be lent now, and the number of token transfers that its energy pays for; undefined without a
   * stake
   */
  readonly stake: { readonly free: bigint; readonly loans: number } | undefined;
  /** undefined if no signer runs */
  readonly signerSilentSeconds: number | undefined;
};

/** Checks the gas wallet, the stake, the signer and its list. A fault is logged once, and reported while it lasts. */
export function createWatch(context: SettlementContext): SettlementWatch {
  const { log, metrics } = context;
  const checkList = createListCheck(context);
  const guard = createWalletGuard(context);
  let faults: readonly string[] = [];
  let found: WatchedAccounts | undefined;
  const warned = new Set<string>();
  const warn = (event: keyof typeof consequences, fault: string | undefined): string[] => {
    if (fault === undefined) warned.delete(event);
    else if (!warned.has(event)) {
      warned.add(event);
      log.warn({ event, reason: fault }, `settlement ${consequences[event]}`);
    }
    return fault === undefined ? [] : [fault];
  };

  return {
    guard,
    faults: () => [...faults, ...new Set(guard.paused().map(walletFault))],
    found: () => found,
    check: async (settling, control) => {
      const signer = await findSignerState(context.db);
      await checkList();
      const gas = await findGas(context, settling);
      metrics.gasSun.set(Number(gas));
      metrics.settlementPaused.set(settling.isPaused ? 1 : 0);
      const stake = await checkStake(context, settling);
      const silence = signer && (signer.ageSeconds ?? Number.POSITIVE_INFINITY);
      if (silence !== undefined) metrics.signerSilence.set(silence);
      found = { gas, isGasLow: gas < LOW_GAS_SUN, stake, signerSilentSeconds: silence };
      faults = [
        ...warn("gas_wallet_short", found.isGasLow ? gasFault(settling.gasAddress, gas) : undefined),
        ...warn("node_behind", await findBehind(settling)),
        ...warn("signer_silent", silence === undefined ? undefined : signerFault(silence)),
        ...(stake?.loans === 0 ? [stakeFault(stake.free)] : []),
        ...(control.pauseReason === null ? [] : [`paused: ${control.pauseReason}`]),
        ...(await describeUnrated(context)),
      ];
      return signer !== undefined;
    },
  };
}

async function checkStake(context: SettlementContext, settling: Settling): Promise<WatchedAccounts["stake"]> {
  if (context.config.settlement.stakeAddress === undefined) return undefined;
  const free = await findFreeStake(context, settling);
  const loans = Number(free.sun / stakeFor(TOKEN_TRANSFER_ENERGY, free));
  context.metrics.stakeFreeSun.set(Number(free.sun));
  context.metrics.stakeLoansFree.set(loans);
  return { free: free.sun, loans };
}

function stakeFault(sun: bigint): string {
  return `the stake can lend ${formatAmount(amountFromUnits(sun))} TRX now, too little for a transfer of a token: its energy recovers within a day`;
}

async function findBehind({ reach, verified }: Settling): Promise<string | undefined> {
  const named = (await reach()).behind
    .filter(({ solid }) => verified.number - solid > BLOCKS_BEHIND)
    .map(({ node, solid }) => `${node} has solid block ${solid} and ours is ${verified.number}`);
  return named.length === 0 ? undefined : `left out: ${named.join(", ")}`;
}

function walletFault({ destination }: SweptTo): string {
  return `paused to the wallet ${destination}: other keys may move its money than were confirmed`;
}

function gasFault(address: string, gas: bigint): string {
  return `the gas wallet ${address} holds ${formatAmount(amountFromUnits(gas))} TRX: fund it`;
}

function signerFault(silence: number): string | undefined {
  return silence <= SILENT_SECONDS ? undefined : `the signer has been silent for ${Math.round(silence)} s`;
}

/**
 * Raises an alarm for each entry of the signer's list. The audit log has the known ones, so that a restart repeats none. An entry comes
 * there one check after its alarm: a process that ends sooner may end before the notifier has sampled the alarm.
 */
export function createListCheck({
  db,
  log,
  metrics,
}: Pick<SettlementContext, "db" | "log" | "metrics">): () => Promise<void> {
  const raised = new Set<bigint>();
  let known = 0n;

  function raise({ counter, merchantId, name, address, actsFrom }: SignerDestination): void {
    raised.add(counter);
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

  return async () => {
    const entries = await listDestinations(db, known);
    const audited = await findAudited(db, entries.map(subjectOf));
    for (const entry of entries) {
      const { counter, merchantId, name, address, actsFrom } = entry;
      const isAudited = audited.has(subjectOf(entry));
      if (!isAudited && !raised.has(counter)) {
        raise(entry);
        continue;
      }
      if (!isAudited) {
        const after = { merchantId, name, address, actsFrom };
        const act = { actor: "daric-signer", action: "approve", subject: subjectOf(entry), reason: "" };
        await insertAuditEntry(db, { ...act, before: null, after });
      }
      raised.delete(counter);
      known = counter;
    }
  };
}

function subjectOf({ counter }: SignerDestination): string {
  return `entry ${counter} of the signer's list`;
}
