import { AnswerError } from "@daric/chain/blocks/read-json";

/** The way to a value inside an answer. */
export type AnswerPath = readonly (string | number)[];

export type StampForm = "seconds" | "milliseconds" | "iso";

/** An answer with one fault. */
export type Mutilation = { readonly fault: string; readonly answer: unknown };

/** An answer whose numbers are texts, and the places of what is read from it. */
export type Anatomy = {
  readonly answer: unknown;
  readonly prices: readonly AnswerPath[];
  readonly stamp?: { readonly path: AnswerPath; readonly form: StampForm } | undefined;
  readonly fixed: readonly AnswerPath[];
  readonly row?: AnswerPath | undefined;
};

const MISSING = undefined;
const NO_TEXTS = [MISSING, null, true, {}, []];

const wrongStamps: Readonly<Record<StampForm, readonly string[]>> = {
  seconds: ["1789410188498", "1789410188.5", "2026-09-14T18:23:08Z"],
  milliseconds: ["1789410188", "1789410188498000", "1789410188498.5", "2026-09-14T18:23:08Z"],
  iso: [
    "1789410188",
    "1789410188498",
    "2026-09-14",
    "2026-09-14T18:23:08",
    "2026-09-14T18:23:08+03:00",
    "2026-09-14 18:23:08Z",
    "2026-13-14T18:23:08Z",
  ],
};

/** Every fault that applies to this answer: of its prices, of its time, of what it is, and of the lists and objects around. */
export function mutilationsOf(anatomy: Anatomy): readonly Mutilation[] {
  const { answer, prices, stamp, fixed, row } = anatomy;
  const faults: Mutilation[] = [];
  const replace = (path: AnswerPath, value: unknown): void => {
    const fault = `${path.join(".")}: ${value === MISSING ? "missing" : JSON.stringify(value)}`;
    faults.push({ fault, answer: withValue(answer, path, value) });
  };
  for (const path of prices) for (const value of wrongPrices(valueAt(answer, path))) replace(path, value);
  for (const path of containersOf(prices)) {
    for (const value of [null, "", "text", true, [], {}, [valueAt(answer, path)]]) replace(path, value);
  }
  if (stamp !== undefined) {
    const texts = ["", "soon", "-1", "NaN", "1e12", "0", ...wrongStamps[stamp.form]];
    for (const value of [...NO_TEXTS, ...texts]) replace(stamp.path, value);
  }
  for (const path of fixed)
    for (const value of [MISSING, null, false, {}, "", "another"]) replace(path, value);
  if (row !== undefined) {
    const list = row.slice(0, -1);
    replace(list, [...(valueAt(answer, list) as unknown[]), valueAt(answer, row)]);
  }
  const [bid, ask] = prices;
  if (bid !== undefined && ask !== undefined) faults.push(...faultsOfBook(answer, bid, ask));
  return faults;
}

/** The faults with which the answer is read all the same. Any error but an AnswerError is passed on. */
export function readDespite(faults: readonly Mutilation[], read: (answer: unknown) => unknown): string[] {
  const isRead = ({ answer }: Mutilation): boolean => {
    try {
      read(answer);
      return true;
    } catch (error) {
      if (error instanceof AnswerError) return false;
      throw error;
    }
  };
  return faults.filter(isRead).map(({ fault }) => fault);
}

function faultsOfBook(answer: unknown, bid: AnswerPath, ask: AnswerPath): readonly Mutilation[] {
  const [low, high] = [textAt(answer, bid), textAt(answer, ask)];
  const both = (first: string, second: string) => withValue(withValue(answer, bid, first), ask, second);
  return [
    { fault: "the bid is above the ask", answer: both(high, low) },
    { fault: "the ask is 2 % above the bid", answer: both(low, inHundredths(low, 102n)) },
    { fault: "the bid is a tenth", answer: both(inHundredths(low, 10n), high) },
    { fault: "both are zero", answer: both("0", "0") },
    { fault: "both are a million", answer: both("1000000", "1000000") },
  ];
}

function wrongPrices(value: unknown): readonly unknown[] {
  const text = String(value);
  const [whole = "", fraction = "0"] = text.split(".");
  const comma = `${whole},${fraction}`;
  const signs = [
    `-${text}`,
    `+${text}`,
    ` ${text}`,
    `${text} `,
    `${text}e0`,
    `${text}E-1`,
    comma,
    `${whole}.`,
  ];
  const others = [
    "",
    "0",
    "0.00000000",
    "NaN",
    "Infinity",
    "0x2f",
    `0${text}`,
    `${text}${text}`,
    `9999999.${fraction}`,
  ];
  return [...NO_TEXTS, ...signs, ...others, { price: text }, [text], Number(text)];
}

/** The lists and objects on the way to these values, the answer itself included. */
function containersOf(paths: readonly AnswerPath[]): readonly AnswerPath[] {
  const found = paths.flatMap((path) => path.map((_step, depth) => path.slice(0, depth)));
  return [...new Map(found.map((path) => [JSON.stringify(path), path])).values()];
}

function valueAt(answer: unknown, path: AnswerPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], answer);
}

function textAt(answer: unknown, path: AnswerPath): string {
  const value = valueAt(answer, path);
  if (typeof value === "string") return value;
  throw new Error(`no text at ${path.join(".")}`);
}

/** A copy with another value at the end of the path. */
function withValue(answer: unknown, path: AnswerPath, value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  const copy: unknown = structuredClone(answer);
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  if (value === MISSING) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** A decimal times so many hundredths, in its own decimals and two more. */
function inHundredths(text: string, hundredths: bigint): string {
  const [whole = "", fraction = ""] = text.split(".");
  const decimals = fraction.length + 2;
  const digits = (BigInt(whole + fraction) * hundredths).toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
