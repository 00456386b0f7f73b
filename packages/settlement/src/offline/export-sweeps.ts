import { listSeeds } from "@daric/addresses/gas-wallet-store";
import { type ChargeId, idOf } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { ChainView, PlanningContext } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { makePlan } from "../plan/make-plan.ts";
import { insertPlan, type PlannedSweep } from "../plan/plan-store.ts";
import { planOf } from "../plan/plan-sweeps.ts";
import { findProofs, insertOffline, type OfflineTransaction } from "../sweeps/exported-store.ts";
import { isFresh } from "../timing.ts";
import { describeTransaction, EXPORT_FORMAT, OfflineFileError } from "./offline-file.ts";

type ExportRequest = {
  readonly control: SettlementControl;
  readonly limit: number;
  /** the time from the transactions' reference block to their expiry */
  readonly lifeMs: number;
  /** stores the file; an error rolls the export back */
  save(file: object): void;
};

/** The result of an export. */
export type ExportedSweeps = {
  readonly sweeps: number;
  readonly transactions: number;
  readonly expiresAt: Date;
};

/**
 * Plans sweeps that burn energy, for a signer without a network. They are reserved until their transactions expire:
 * no other plan takes them. Undefined if nothing is worth a sweep.
 *
 * @throws OfflineFileError while the watcher has no fresh verified block.
 */
export async function exportSweeps(
  { config, ...parts }: PlanningContext,
  chain: ChainView,
  { control, limit, lifeMs, save }: ExportRequest,
): Promise<ExportedSweeps | undefined> {
  const context = {
    ...parts,
    config: { ...config, settlement: { ...config.settlement, stakeAddress: undefined } },
  };
  const { network, verified } = chain;
  if (!isFresh(network.name, verified, context.clock.now()))
    throw new OfflineFileError(
      `the newest verified block is of ${verified.time.toISOString()}: run it again when the watcher has caught up`,
    );
  const { decided } = await makePlan(context, chain, { control, limit, isOffline: true });
  const worth = decided.filter(({ verdict }) => verdict.status === "PLANNED");
  if (worth.length === 0) return undefined;
  const expiresAt = new Date(verified.time.getTime() + lifeMs);
  const plan = planOf(worth, { isOffline: true });
  return context.db.transaction(async (tx) => {
    const reason = `exported: it waits for its signature until ${expiresAt.toISOString()}`;
    const sweeps = await insertPlan(tx, {
      ...plan,
      sweeps: plan.sweeps.map((sweep) => ({ ...sweep, reason })),
    });
    const wanted = sweeps.flatMap(transactionsOf);
    await insertOffline(tx, wanted, expiresAt);
    const proofs = new Map((await findProofs(tx, sweeps)).map((proof) => [proof.chargeId, proof]));
    const [seed] = await listSeeds(tx);
    save({
      format: EXPORT_FORMAT,
      network: network.name,
      genesisId: network.genesisId,
      xpubFingerprint: seed?.fingerprint,
      expiresAt: expiresAt.toISOString(),
      requests: wanted.map(({ sweep, ...transaction }) =>
        requestOf(transaction, sweep, { chain, expiresAt, proofs }),
      ),
    });
    return { sweeps: sweeps.length, transactions: wanted.length, expiresAt };
  });
}

/** The top-up comes first: it pays for the TRX that the sweep burns. */
function transactionsOf(sweep: PlannedSweep): (OfflineTransaction & { readonly sweep: PlannedSweep })[] {
  const { merchantId, chargeId, id: sweepId, topUp } = sweep;
  const of = (purpose: OfflineTransaction["purpose"]) => ({
    ...{ merchantId, chargeId, sweepId, purpose, sweep },
    id: idOf("sweepTransaction", uuidv7()),
  });
  return topUp > 0n ? [of("top_up"), of("sweep")] : [of("sweep")];
}

/** A request of the file: the columns of a signing request, with a description for the operator. */
function requestOf(
  { id, merchantId, chargeId, purpose }: OfflineTransaction,
  { currency, recipient, destination, units, topUp, feeLimit }: PlannedSweep,
  {
    chain: { verified, gasAddress },
    expiresAt,
    proofs,
  }: {
    chain: ChainView;
    expiresAt: Date;
    proofs: ReadonlyMap<ChargeId, Awaited<ReturnType<typeof findProofs>>[number]>;
  },
) {
  const proof = proofs.get(chargeId);
  if (proof === undefined) throw new Error(`charge ${chargeId} has no address`);
  const { index, address, checkoutToken, addressMac } = proof;
  const isSweep = purpose === "sweep";
  return {
    meaning: describeTransaction({
      purpose,
      address,
      currency,
      recipient,
      destination,
      merchantId,
      units,
      topUp,
      gasAddress,
    }),
    id,
    kind: purpose,
    merchantId,
    index,
    address,
    checkoutToken,
    addressMac: addressMac?.toString("hex") ?? null,
    currency: isSweep ? currency : null,
    recipient: isSweep ? recipient : null,
    destination: isSweep ? destination : null,
    units: String(isSweep ? units : topUp),
    feeLimit: String(isSweep ? feeLimit : 0n),
    blockNumber: String(verified.number),
    blockId: verified.blockId,
    blockTimeMs: verified.time.getTime(),
    expiresAtMs: expiresAt.getTime(),
  };
}
