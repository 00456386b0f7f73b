import { assets, type Currency, isToken } from "@daric/domain/asset";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits, smaller, subtract, zero } from "@daric/domain/money";
import { splitContent } from "@daric/domain/settlement-split";
import { minUnits, type ResourcePrices, type UsdRates } from "@daric/domain/sweep-price";
import { findFeesOwed } from "@daric/ledger/book-settlement";
import type { PlanningContext } from "../context.ts";
import { operatorWalletKey } from "../wallet-store.ts";
import { type Candidate, findFeeAllowance, findOperatorWallet } from "./plan-store.ts";

/** A part of an address's content and its recipient. */
export type BatchedSweep = Candidate & {
  readonly recipient: SweepRecipient;
  /** the wallet of the recipient */
  readonly destination: string;
  readonly wanted: Amount;
};

/**
 * Pays the operator's fees out of the next contents, once one more transfer costs at most the share of them that a sweep may
 * cost. While the operator's wallet is paused they stay owed, as without a wallet.
 */
export async function splitFees(
  { db, config }: PlanningContext,
  candidates: readonly Candidate[],
  {
    prices,
    rates,
    pausedWallets,
  }: { prices: ResourcePrices; rates: UsdRates; pausedWallets: readonly string[] },
): Promise<BatchedSweep[]> {
  const approved = await findOperatorWallet(db);
  const isPaused = approved !== undefined && pausedWallets.includes(operatorWalletKey(approved));
  const wallet = isPaused ? undefined : approved;
  const merchantIds = [...new Set(candidates.map(({ merchantId }) => merchantId))];
  const owing = wallet === undefined ? [] : await findFeesOwed(db, merchantIds);
  const left = new Map<string, Amount>();
  for (const { merchantId, currency, owed, planned } of owing) {
    const ceiling = await findFeeAllowance(db, { merchantId, currency });
    left.set(
      `${merchantId} ${currency}`,
      smaller<Currency>(subtract<Currency>(owed, planned), subtract<Currency>(ceiling, planned)),
    );
  }
  return candidates.map((candidate): BatchedSweep => {
    const { merchantId, currency, units: content } = candidate;
    const key = `${merchantId} ${currency}`;
    const owed = left.get(key) ?? zero;
    const basisPoints = config.settlement.maxCostBasisPoints;
    const threshold =
      minUnits(currency, { price: transferPrice(currency, prices), basisPoints }, rates) ?? 0n;
    const split = splitContent<Currency>({
      owed,
      content,
      threshold: amountFromUnits(threshold > 0n ? threshold : 1n),
    });
    if (split.operator <= 0n || wallet === undefined)
      return { ...candidate, recipient: "merchant", wanted: content };
    left.set(key, subtract<Currency>(owed, split.operator));
    return { ...candidate, recipient: "operator", destination: wallet, wanted: split.operator };
  });
}

/** The TRX that one more transfer out of an activated address burns. */
function transferPrice(currency: Currency, prices: ResourcePrices): bigint {
  const bandwidthFee = assets.TRX.transfer.bytes * prices.bandwidth;
  return isToken(currency) ? assets[currency].transfer.energy * prices.energy + bandwidthFee : bandwidthFee;
}
