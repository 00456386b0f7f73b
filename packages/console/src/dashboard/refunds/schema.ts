import { currencies } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { refundTransferStatuses } from "@daric/domain/refund";
import { amountText, timestamp } from "@daric/http/validate";
import { refundRow, toRefundRow } from "@daric/refunds/schema";
import { refundTasks } from "@daric/refunds/task-store";
import { inCents } from "@daric/settlement/plan/small-sums";
import type { FoundTerms } from "@daric/settlement/plan/terms-store";
import { z } from "zod";
import type { ListedTransfer, RefundableCoin, RefundFacts } from "./facts.ts";
import type { RefundDuty } from "./tasks.ts";

const id = z.string().meta({ format: "uuid" });

const cost = {
  cost_trx: amountText.nullable().meta({
    description:
      "The price of a transfer from a wallet without energy; null before the settlement role found it.",
  }),
  cost_usd: z.string().nullable(),
};

/** The fields of {@link cost}. */
function costOf(terms: FoundTerms | undefined) {
  const { handPrice, handPriceUsdE8 } = terms ?? {};
  return {
    cost_trx: handPrice === undefined ? null : formatAmount(amountFromUnits(handPrice)),
    cost_usd: handPriceUsdE8 === undefined ? null : inCents(handPriceUsdE8),
  };
}

const transferRow = z.object({
  tx_hash: z.string(),
  from_address: z.string(),
  to_address: z.string(),
  amount: amountText,
  currency: z.enum(currencies),
  status: z.enum(refundTransferStatuses),
  is_in_chain: z.boolean(),
  block_number: z.int(),
  block_time: timestamp,
});

export function toTransferRow(transfer: ListedTransfer): z.input<typeof transferRow> {
  return {
    tx_hash: transfer.txId,
    from_address: transfer.fromAddress,
    to_address: transfer.toAddress,
    amount: formatAmount(transfer.units),
    currency: transfer.currency,
    status: transfer.status,
    is_in_chain: transfer.isInChain,
    block_number: transfer.blockNumber,
    block_time: transfer.blockTime.toISOString(),
  };
}

/** The facts that a person must know before money leaves. */
export const refundFacts = z.object({
  id,
  asked_by: z.object({ kind: z.enum(["person", "key"]), id, name: z.string().nullable() }).nullable(),
  named_by: z
    .enum(["payer", "merchant"])
    .nullable()
    .meta({ description: "The side that named the address." }),
  has_paid: z.boolean().nullable().meta({
    description: "Whether the address sent confirmed money of this order; null without an address.",
  }),
  replaced_addresses: z
    .array(z.string())
    .meta({ description: "Addresses that the refund had before: do not pay them." }),
  may_confirm: z.boolean().meta({
    description: "False where another owner or admin must confirm, because the caller asked for the refund.",
  }),
  is_claim_open: z.boolean().meta({ description: "Whether the claim link takes an address now." }),
  is_ours: z.boolean().meta({ description: "False if another program wrote the row: then it is not paid." }),
  transfers: z
    .array(transferRow)
    .meta({ description: "Transfers to its addresses that may be it, the oldest first." }),
  genesis_id: z.string().nullable().meta({ description: "Block 0 of the chain on which it is paid." }),
  contract: z.string().nullable().meta({ description: "The contract of its token; null for TRX." }),
  is_main_network: z.boolean(),
  ...cost,
});

export function toFactsRow(facts: RefundFacts): z.input<typeof refundFacts> {
  const { refund, asker, replaced, transfers, network, terms } = facts;
  return {
    id: refund.id,
    asked_by: asker ?? null,
    named_by: refund.namedBy,
    has_paid: facts.hasPaid,
    replaced_addresses: [...replaced],
    may_confirm: facts.mayConfirm,
    is_claim_open: facts.isClaimOpen,
    is_ours: facts.isOurs,
    transfers: transfers.map(toTransferRow),
    genesis_id: network.genesisId,
    contract: network.contractOf(refund.currency),
    is_main_network: network.testNetwork === null,
    ...costOf(terms),
  };
}

const coinRow = z.object({
  currency: z.enum(currencies),
  is_own: z.boolean().meta({ description: "Whether it is the coin of the charge." }),
  received: amountText.meta({ description: "Confirmed money of the coin." }),
  promised: amountText.meta({ description: "The sum of its refunds that are not canceled." }),
  left: amountText,
  surplus: amountText.meta({ description: "The money that is too much and not promised yet." }),
  default_amount: amountText.meta({ description: "The amount of a request that names none." }),
  is_worth: z.boolean().meta({
    description: "False where the default amount is worth less than its transfer costs, by the newest rates.",
  }),
  ...cost,
});

/** The refunds of a payment, and what is left to refund of it. */
export const paymentRefunds = z.object({
  coins: z.array(coinRow).meta({ description: "Each coin that came." }),
  closes_order: z
    .boolean()
    .meta({ description: "Whether a request archives it first, because it is not paid." }),
  is_paid_order: z.boolean().meta({
    description: "Of a paid order: a request of more than `surplus` of its own coin must be confirmed.",
  }),
  refunds: z.array(refundRow).meta({ description: "The oldest first. `claim_url` is null." }),
  proposals: z.array(transferRow.extend({ refund_id: id })).meta({
    description: "Transfers that a person must look at.",
  }),
});

export function toCoinRow(coin: RefundableCoin): z.input<typeof coinRow> {
  return {
    currency: coin.currency,
    is_own: coin.isOwn,
    received: formatAmount(coin.received),
    promised: formatAmount(coin.promised),
    left: formatAmount(coin.left),
    surplus: formatAmount(coin.surplus),
    default_amount: formatAmount(coin.defaultAmount),
    is_worth: coin.isWorth,
    ...costOf(coin.terms),
  };
}

export const taskRow = refundRow
  .pick({
    id: true,
    deposit_address_id: true,
    order_ref: true,
    amount: true,
    currency: true,
    status: true,
    needs_confirmation: true,
    paid_amount: true,
  })
  .extend({ task: z.enum(refundTasks), at: timestamp });

export function toTaskRow(
  context: Parameters<typeof toRefundRow>[0],
  { refund, task, at }: RefundDuty,
): z.input<typeof taskRow> {
  const row = toRefundRow(context, refund, { withClaim: false });
  return taskRow.parse({ ...row, task, at: at.toISOString() });
}

export const payListBody = z.object({ currency: z.enum(currencies) });
export const payListRow = z.object({
  name: z.string().meta({ description: "Of the file." }),
  csv: z.string(),
  count: z.int(),
  opened_before: z.int().meta({
    description: "How many of them a person opened in the last half hour, who may be paying them.",
  }),
});
