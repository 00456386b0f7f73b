import { z } from "zod";
import { parseDurationMs } from "./runtime/duration.ts";

export const durationMs = z.string().transform((text, issue) => {
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  issue.addIssue({
    code: "custom",
    message: `must be a duration like 500ms, 15s, 10m, 24h or 7d, not "${text}"`,
  });
  return z.NEVER;
});

/** A whole number from `minimum` to `maximum`. */
export function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`);
}

/** The same with a default, for the reader and for the documentation. */
export function integerOr(value: number, minimum: number, maximum: number) {
  return { read: integer(minimum, maximum).prefault(String(value)), default: String(value) };
}

/** Items with commas between; blanks around them and empty ones do not count. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
