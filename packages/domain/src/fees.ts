import type { Currency } from "./asset.ts";
import type { ChargeKind } from "./charge.ts";
import { type Amount, larger, shareRoundedDown, smaller, subtract, zero } from "./money.ts";
import type { Fee } from "./order.ts";

/** The service's fee of a confirmed deposit. */
export type DepositFee<C extends Currency = Currency> = {
  /** the share in basis points, rounded down in the merchant's favour */
  readonly share: Amount<C>;
  /** its part of the fixed fee */
  readonly fixed: Amount<C>;
};

/**
 * The fee of a confirmed deposit in its charge's currency, by the terms frozen on the charge. Both fee modes have the same fee: in
 * client mode the payer has sent it on top. Share and fixed part together are never more than the deposit. Money in the other
 * currency bears no fee. `fixedDue` comes from {@link fixedFeeDue}.
 */
export function depositFee<C extends Currency>(
  amount: Amount<C>,
  { basisPoints, fixedDue }: { basisPoints: number; fixedDue: Amount<NoInfer<C>> },
): DepositFee<C> {
  const share = shareRoundedDown(amount, basisPoints);
  return { share, fixed: smaller(fixedDue, subtract(amount, share)) };
}

/**
 * The most that the next deposit of a charge bears of the fixed part. An order bears it once: its first deposits carry it until it
 * is `taken`. Each deposit of a receive or an open address bears all of it.
 */
export function fixedFeeDue<C extends Currency>(
  { kind, fee }: { kind: ChargeKind; fee: Fee<C> },
  taken: Amount<NoInfer<C>>,
): Amount<C> {
  return kind === "order" ? larger(subtract(fee.fixed, taken), zero) : fee.fixed;
}
