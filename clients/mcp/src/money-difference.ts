const DECIMALS = 6;

/** `minuend` − `subtrahend` of two decimals with at most 6 decimals; undefined unless it is above zero. */
export function amountAbove(minuend: string, subtrahend: string): string | undefined {
  const units = unitsOf(minuend) - unitsOf(subtrahend);
  if (units <= 0n) return undefined;
  const digits = String(units).padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, "");
}

/** @throws SyntaxError for a text that is no decimal. */
function unitsOf(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}
