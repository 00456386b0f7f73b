const MAX_WHOLE_DIGITS = 12;
const MAX_DECIMALS = 6;
const MOST_CHARS = MAX_WHOLE_DIGITS + 1 + MAX_DECIMALS;
/** No pattern reads a longer text: what is so long is no slip in an amount. */
const MAX_LENGTH = 64;

/** What is wrong with a text that is no amount, in words that continue the name of its field. */
export function faultOfAmount(text: string): string {
  if (text.length > MAX_LENGTH) return `is too long: no amount has more than ${MOST_CHARS} characters`;
  if (text === "") return 'is empty: send a decimal like "25.5", or leave the field out';
  if (/\s/.test(text)) return "must have no blanks";
  if (text.includes(",")) return 'has a comma: write "1000.5", with a point and nothing between thousands';
  if (/^[+-]/.test(text)) return "must have no sign: no amount is negative";
  if (/^[\d.]*e[+-]?\d+$/i.test(text)) return 'must be written out, without an exponent: "1000", not "1e3"';
  const [, whole, fraction] = /^(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return 'must be a decimal like "25.5": digits, and at most one point';
  return faultOfDigits(whole, fraction);
}

function faultOfDigits(whole: string, fraction: string | undefined): string {
  if (whole === "" || fraction === "") return 'must have digits on both sides of the point, like "0.5"';
  if (/^0\d/.test(whole)) return "must not begin with a zero before other digits";
  if (whole.length > MAX_WHOLE_DIGITS) {
    return `is too big: at most ${MAX_WHOLE_DIGITS} digits before the point, not ${whole.length}`;
  }
  return `must have at most ${MAX_DECIMALS} decimals, not ${fraction?.length ?? 0}`;
}

/** What is told of an amount that is a JSON number: as it would have to be written. */
export function faultOfNumber(value: number): string {
  const digits = String(value);
  const example = /^\d{1,12}(\.\d{1,6})?$/.test(digits) ? digits : "25.5";
  return `must be a string in quotes: "${example}", not ${example} (money is never a number)`;
}
