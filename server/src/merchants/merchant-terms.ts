import { type FixedFees, perFixedFee } from "../domain/fixed-fee.ts";
import { zero } from "../domain/money.ts";
import type { FeeMode } from "../domain/order.ts";

/** What an operator sets for a merchant. A charge freezes its fee, tolerance and windows when it is created. */
export type MerchantTerms = FixedFees & {
  readonly name: string;
  /** where the logo was fetched once; null of one that came as a file */
  readonly logoUrl: string | null;
  /** the picture that pages show */
  readonly logoId: string | null;
  readonly supportEmail: string | null;
  /** https */
  readonly supportUrl: string | null;
  /** `#rrggbb`, lower case */
  readonly accentColor: string;
  readonly feeMode: FeeMode;
  readonly feeBasisPoints: number;
  readonly orderLifetimeSeconds: number;
  readonly openLifetimeSeconds: number;
  /** how long after its expiry a payment still pays an order */
  readonly lateWindowSeconds: number;
  readonly toleranceBasisPoints: number;
  /** charges that may be active at once, reusable and expired ones not counted */
  readonly activeAddressCap: number;
};

/** The terms of a new merchant that says nothing but its name. The table's column defaults are the same. */
export const defaultMerchantTerms: Omit<MerchantTerms, "name"> = {
  logoUrl: null,
  logoId: null,
  supportEmail: null,
  supportUrl: null,
  accentColor: "#0f766e",
  feeMode: "merchant",
  feeBasisPoints: 0,
  ...perFixedFee(() => zero),
  orderLifetimeSeconds: 60 * 60,
  openLifetimeSeconds: 7 * 24 * 60 * 60,
  lateWindowSeconds: 24 * 60 * 60,
  toleranceBasisPoints: 0,
  activeAddressCap: 10_000,
};
