import { AnswerError } from "@daric/chain/blocks/read-json";

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;
const MS_DIGITS = 3;

/** A time in seconds since 1970, as ms. @throws AnswerError for any other form. */
export function readSeconds(value: unknown): number {
  if (typeof value === "string" && /^[0-9]{10}$/.test(value)) return Number(value) * 1_000;
  throw new AnswerError("its time is not one in seconds");
}

/** A time in ms since 1970. @throws AnswerError for any other form. */
export function readMilliseconds(value: unknown): number {
  if (typeof value === "string" && /^[0-9]{13}$/.test(value)) return Number(value);
  throw new AnswerError("its time is not in milliseconds");
}

/** A time of ISO 8601 in UTC, as ms since 1970. Finer digits are cut off. @throws AnswerError for any other form. */
export function readIsoTime(value: unknown): number {
  const [, seconds, fraction = ""] = (typeof value === "string" && ISO_TIME.exec(value)) || [];
  const ms = fraction.slice(0, MS_DIGITS).padEnd(MS_DIGITS, "0");
  const time = seconds === undefined ? Number.NaN : Date.parse(`${seconds}.${ms}Z`);
  if (!Number.isNaN(time)) return time;
  throw new AnswerError("its time is not one of ISO 8601 in UTC");
}
