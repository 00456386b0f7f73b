import type { Currency } from "./asset.ts";
import type { Amount } from "./money.ts";

/**
 * Confirmed money of one charge as it is credited, which decides what is paid: split by when its blocks were made. Where the
 * price is in fiat, what each deposit is worth by the quote that judges it; else what the chain moved.
 */
export type ConfirmedSums<C extends Currency = Currency> = {
  /** in blocks up to `expires_at` */
  readonly onTime: Amount<C>;
  /** in blocks up to the end of the late window, on time included */
  readonly inWindow: Amount<C>;
  /** all of it */
  readonly total: Amount<C>;
};

/** Money of one charge as the chain moved it, which is what a payer and a merchant see in their wallets. */
export type ReceivedSums<C extends Currency = Currency> = {
  /** confirmed, in blocks up to `expires_at` */
  readonly onTime: Amount<C>;
  /** confirmed, whenever */
  readonly total: Amount<C>;
  /** seen, and not final yet */
  readonly pending: Amount<C>;
};
