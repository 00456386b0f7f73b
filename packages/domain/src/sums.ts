import type { Currency } from "./asset.ts";
import type { Amount } from "./money.ts";

/**
 * The confirmed money of one charge as it is credited, without dust, split by block time; payment states follow from it. For a price in
 * fiat each deposit counts by its applicable quote, else by the amount that moved on the chain.
 */
export type ConfirmedSums<C extends Currency = Currency> = {
  /** in blocks up to `expires_at` */
  readonly onTime: Amount<C>;
  /** in blocks up to the end of the late window; includes `onTime` */
  readonly inWindow: Amount<C>;
  readonly total: Amount<C>;
};

/** The money of one charge as it moved on the chain: the amounts that payer and merchant see in their wallets. */
export type ReceivedSums<C extends Currency = Currency> = {
  /** confirmed, in blocks up to `expires_at` */
  readonly onTime: Amount<C>;
  /** confirmed, in blocks up to the end of the late window, without dust */
  readonly inWindow: Amount<C>;
  readonly total: Amount<C>;
  /** seen and not final yet */
  readonly pending: Amount<C>;
  /** the dust in `total` and in `pending`: it is money, and it decides nothing */
  readonly dust: Amount<C>;
  readonly dustPending: Amount<C>;
};
