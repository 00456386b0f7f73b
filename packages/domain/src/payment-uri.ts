/** The transfer as a payment URI, of an amount as a decimal text. Tangem takes a large whole number for raw units, so the amount always has a point. */
export function paymentUri(transfer: {
  readonly to: string;
  readonly amount: string;
  /** null for TRX */
  readonly contract: string | null;
}): string {
  const { to, amount, contract } = transfer;
  const decimal = amount.includes(".") ? amount : `${amount}.0`;
  return `tron:${to}?amount=${decimal}${contract === null ? "" : `&token=${contract}`}`;
}
