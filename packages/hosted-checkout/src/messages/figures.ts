import { fiats } from "@daric/domain/fiat";
import type { NumberMarks } from "@daric/domain/typed-amount";

const NARROW_NO_BREAK_SPACE = "\u202f";
const NO_BREAK_SPACE = "\u00a0";
/** TRX is written without empty cents, as a fiat currency that has none; every other one has at least two decimals. */
const DECIMALS: Readonly<Record<string, { readonly decimals: number }>> = { ...fiats, TRX: { decimals: 0 } };
const CENTS = 2;
/** Smaller numbers have no groups, and Intl is ten times slower. */
const A_GROUP = 1_000;
/** A number whose parts show both marks. */
const SHOWS_MARKS = 1_234_567.5;

/**
 * Numbers and times in the style of a language, with Latin digits and without invisible marks. For display
 * alone: never copy, compare or forward them. Decimals are texts like `1234.5`, not negative, and keep every
 * digit but zeros at the end.
 */
export type Figures = {
  /** `1 234.5` */
  readonly decimal: (text: string) => string;
  /** an amount without its currency: `25.50` of USDT or USD, `50` of TRX */
  readonly amount: (text: string, currency: string) => string;
  /** an amount with its currency, which stay on one line: `25.50 USDT` */
  readonly money: (text: string, currency: string) => string;
  readonly count: (count: number) => string;
  /** the marks with which people type numbers */
  readonly marks: () => NumberMarks;
  /** the time of day with its zone: `11:00 UTC` */
  readonly time: (moment: Date) => string;
  /** `November 20, 2026 at 11:00 UTC`, by the calendar of the language */
  readonly dateTime: (moment: Date) => string;
};

/** The styles of a language. Formatters are made on first use, and kept. */
export function figuresOf(language: string): Figures {
  const locale = `${language}-u-nu-latn`;
  const numbers = once(() => new Intl.NumberFormat(locale));
  const marks = once(() => {
    const parts = numbers().formatToParts(SHOWS_MARKS);
    const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
    return { decimal: partOf("decimal") ?? ".", group: partOf("group") ?? "," };
  });
  const times = once(() => new Intl.DateTimeFormat(locale, TIME));
  const dates = once(() => new Intl.DateTimeFormat(locale, { ...DAY, ...TIME }));

  /** In no language a space is a decimal mark, as a point or a comma would be. */
  const whole = (count: number | bigint) => {
    if (count < A_GROUP) return String(count);
    const parts = numbers().formatToParts(count);
    return parts.map(({ type, value }) => (type === "group" ? NARROW_NO_BREAK_SPACE : value)).join("");
  };

  const written = (text: string, decimals: number) => {
    const [integer = "0", given = ""] = text.split(".");
    const fraction = given.replace(/(?<!0)0+$/, "").padEnd(decimals, "0");
    return `${whole(BigInt(integer))}${fraction && `${marks().decimal}${fraction}`}`;
  };
  const amount = (text: string, currency: string) => written(text, DECIMALS[currency]?.decimals ?? CENTS);

  return {
    decimal: (text) => written(text, 0),
    amount,
    money: (text, currency) => `${amount(text, currency)}${NO_BREAK_SPACE}${currency}`,
    count: whole,
    marks,
    time: (moment) => times().format(moment),
    dateTime: (moment) => dates().format(moment),
  };
}

const TIME = {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
  timeZoneName: "short",
} as const;
const DAY = { year: "numeric", month: "long", day: "numeric" } as const;

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
