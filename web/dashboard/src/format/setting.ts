import { language } from "../words/words.ts";
import { sentAmount } from "./typed-amount.ts";

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

/** Seconds as the service takes a duration: `60m` rather than `3600s`, in the largest unit that is whole. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

/** The letters of units in durations, as the service takes them. */
export const durationUnits = ["s", "m", "h", "d"] as const;
export type DurationUnit = (typeof durationUnits)[number];
const names: Readonly<Record<DurationUnit, string>> = { s: "second", m: "minute", h: "hour", d: "day" };

/** The typed number of a duration, such as `60m` or `1,5 h`, and its unit; undefined if no unit stands behind it. */
export function durationParts(
  text: string,
): { readonly number: string; readonly unit: DurationUnit } | undefined {
  const unit = durationUnits.find((letter) => text.endsWith(letter));
  return unit && { number: text.slice(0, -1).trim(), unit };
}

/** The typed number of a duration with its unit: the one behind the number, else the chosen one. */
export function durationOf(typed: string, chosen: DurationUnit): string {
  const [, number = "", word = ""] = /^([^\p{L}]{1,30})(\p{L}{1,20})\.?$/u.exec(typed.trim()) ?? [];
  const start = word.toLowerCase().slice(0, 2);
  const unit = durationUnits.find(
    (letter) => start !== "" && (unitName(letter).startsWith(start) || start === letter),
  );
  return unit === undefined ? `${typed} ${chosen}` : `${number.trim()} ${unit}`;
}

/** A duration as the service takes it: in whole seconds, or as it was typed if it has none. */
export function sentDuration(text: string): string {
  const parts = durationParts(text);
  if (parts === undefined) return text;
  const size = UNITS.find(([unit]) => unit === parts.unit)?.[1] ?? 1;
  const seconds = Number(sentAmount(parts.number)) * size;
  return Number.isSafeInteger(seconds) && parts.number !== "" ? `${seconds}s` : parts.number + parts.unit;
}

/** The name of a unit, in the plural. */
export function unitName(unit: DurationUnit): string {
  return unitParts(5, unit)
    .filter(({ type }) => type === "unit")
    .map(({ value }) => value)
    .join("");
}

/** A duration of the service in words: `60m` is `60 minutes`. */
export function durationWords(text: string): string {
  const { number = "", unit } = durationParts(text) ?? {};
  if (unit === undefined || !/^\d+$/.test(number)) return text;
  return unitParts(Number(number), unit)
    .map(({ value }) => value)
    .join("");
}

function unitParts(count: number, unit: DurationUnit): Intl.NumberFormatPart[] {
  const format = { style: "unit", unit: names[unit], unitDisplay: "long" } as const;
  return new Intl.NumberFormat(language, format).formatToParts(count);
}

/** Hundredths of a per cent as per cent: `50` is `0.5`. */
export function basisPointsText(basisPoints: number): string {
  return String(basisPoints / 100);
}
