/** A decimal with at most 64 digits on each side of the point; every price has fewer. */
const DECIMAL = /^\d{1,64}(?:\.\d{1,64})?$/;

/** The canonical form of a decimal: `12.5` for `12.50` and for `012.5`. Undefined for any other text. */
export function canonicalDecimal(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 129 || !DECIMAL.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "");
  const rest = fraction.replace(/(?<!0)0+$/, "");
  return rest === "" ? digits : `${digits}.${rest}`;
}
