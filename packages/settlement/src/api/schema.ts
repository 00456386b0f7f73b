import { currencies } from "@daric/domain/asset";
import { sweepRecipients } from "@daric/domain/ledger";
import { formatAmount, formatAmountOrNull } from "@daric/domain/money";
import { settlementStatuses, sweepStatuses } from "@daric/domain/sweep";
import { listQueryOf } from "@daric/http/pagination";
import { amountText, timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { ListedSettlement, ListedSweep } from "./list-store.ts";

export const settlementQuery = listQueryOf("settlement").extend({
  status: z.enum(settlementStatuses).optional(),
  currency: z.enum(currencies).optional(),
});

const id = z.string().meta({ format: "uuid" });
const tronAddress = z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" });

const settlementFields = {
  id,
  status: z.enum(settlementStatuses),
  chain: z.literal("tron"),
  currency: z.enum(currencies),
  settlement_account_id: id,
  address: tronAddress,
  amount: amountText,
  fees_paid: amountText,
  network_cost: amountText,
  sweep_count: z.int().min(0),
  failure_reason: z.string().nullable(),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
};

export const settlementRow = z.object(settlementFields).meta({
  id: "Settlement",
  description: "Transfers out of deposit addresses to one of your wallets, planned together.",
});

const sweepTransactionRow = z
  .object({
    purpose: z.enum(["sweep", "top_up", "delegate", "undelegate"]),
    tx_hash: z.string().meta({ pattern: "^[0-9a-f]{64}$" }).nullable(),
    outcome: z.enum(["landed", "failed", "expired", "refused"]).nullable(),
    block_number: z.int().min(0).nullable(),
    fee: amountText.nullable(),
  })
  .meta({ id: "SweepTransaction", description: "A transaction on the chain for one sweep." });

const sweepRow = z
  .object({
    id,
    deposit_address_id: id,
    address: tronAddress,
    recipient: z.enum(sweepRecipients),
    destination: tronAddress,
    amount: amountText,
    status: z.enum(sweepStatuses),
    reason: z.string().nullable(),
    transactions: z.array(sweepTransactionRow),
  })
  .meta({ id: "Sweep", description: "One transfer out of a deposit address." });

export const settlementDetail = z
  .object({ ...settlementFields, sweeps: z.array(sweepRow) })
  .meta({ id: "SettlementDetail", description: "A settlement with its sweeps and their transactions." });

export function toSettlementRow(settlement: ListedSettlement): z.input<typeof settlementRow> {
  return {
    id: settlement.id,
    status: settlement.status,
    chain: "tron",
    currency: settlement.currency,
    settlement_account_id: settlement.settlementAccountId,
    address: settlement.address,
    amount: formatAmount(settlement.paid),
    fees_paid: formatAmount(settlement.feesPaid),
    network_cost: formatAmount(settlement.networkCost),
    sweep_count: settlement.sweepCount,
    failure_reason: settlement.failureReason,
    created_at: settlement.createdAt.toISOString(),
    ended_at: settlement.endedAt?.toISOString() ?? null,
  };
}

export function toSettlementDetail(
  settlement: ListedSettlement,
  sweeps: readonly ListedSweep[],
): z.input<typeof settlementDetail> {
  return { ...toSettlementRow(settlement), sweeps: sweeps.map(toSweepRow) };
}

function toSweepRow(sweep: ListedSweep): z.input<typeof sweepRow> {
  return {
    id: sweep.id,
    deposit_address_id: sweep.chargeId,
    address: sweep.address,
    recipient: sweep.recipient,
    destination: sweep.destination,
    amount: formatAmount(sweep.units),
    status: sweep.status,
    reason: sweep.reason,
    transactions: sweep.transactions.map(({ purpose, txId, outcome, blockNumber, fee }) => ({
      purpose,
      tx_hash: txId,
      outcome,
      block_number: blockNumber,
      fee: formatAmountOrNull(fee),
    })),
  };
}
