/** A decimal with at most 40 digits on each side of the point; every price has far fewer. */
const DECIMAL = /^\d{1,40}(?:\.\d{1,40})?$/;

/** The canonical form of a decimal: `12.5` for `12.50` and for `012.5`. Undefined for any other text. */
export function canonicalDecimal(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 81 || !DECIMAL.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "");
  const rest = fraction.replace(/(?<!0)0+$/, "");
  return rest === "" ? digits : `${digits}.${rest}`;
}
