import type { FiatCurrency } from "@daric/domain/fiat";
import type { FixedFees } from "@daric/domain/fixed-fee";
import type { AccountCodes } from "@daric/domain/journal-account";
import type { FeeMode } from "@daric/domain/order";

/**
 * The terms that an operator sets for a merchant. A charge freezes its fee, tolerance and windows when it is created.
 */
export type MerchantTerms = FixedFees & {
  readonly name: string;
  /** the URL it was fetched from; null for an uploaded file */
  readonly logoUrl: string | null;
  readonly logoId: string | null;
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
  /** `#rrggbb`, lower case */
  readonly accentColor: string;
  /** tags of the payment page's languages; null for all that the operator offers */
  readonly checkoutLanguages: readonly string[] | null;
  /** the origins whose pages may show the payment page in a frame */
  readonly embedOrigins: readonly string[];
  readonly feeMode: FeeMode;
  readonly feeBasisPoints: number;
  readonly orderLifetimeSeconds: number;
  readonly openLifetimeSeconds: number;
  /** how long after its expiry an order can still be paid */
  readonly lateWindowSeconds: number;
  readonly toleranceBasisPoints: number;
  /** most active charges at once; reusable and expired ones do not count */
  readonly activeAddressCap: number;
  /** on receipts and statements; the address has lines */
  readonly legalName: string | null;
  readonly legalAddress: string | null;
  readonly taxId: string | null;
  /** of its days and months, by its name of the IANA */
  readonly timeZone: string;
  /** the currency in which its money is valued */
  readonly bookCurrency: FiatCurrency;
  readonly accountCodes: AccountCodes;
};

/** The default terms, equal to the table's column defaults. Fees have no part here: the service may not write them. */
export const defaultMerchantTerms = {
  accentColor: "#0f766e",
  feeMode: "merchant",
  orderLifetimeSeconds: 60 * 60,
  openLifetimeSeconds: 7 * 24 * 60 * 60,
  lateWindowSeconds: 24 * 60 * 60,
  toleranceBasisPoints: 0,
  activeAddressCap: 10_000,
  timeZone: "UTC",
  bookCurrency: "USD",
} as const satisfies Partial<MerchantTerms>;
