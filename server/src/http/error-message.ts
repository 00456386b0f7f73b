import type { z } from "zod";
import { nearestName } from "../domain/nearest-name.ts";

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a timestamp",
  null: "null",
};

const COUNTED_UNITS: Record<string, string> = { string: "character", array: "item" };

/**
 * What a caller is told of a field that broke a rule, in words that continue its name ("amount must be a string").
 * Rules that bring a message of their own keep it.
 */
export const errorMessageOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && issue.code === "invalid_type") return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}${quotesHint(issue)}`;
    case "invalid_value":
      return `must be ${oneOf(issue.values)}${meantHint(issue)}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    default:
      return "is not valid";
  }
};

function quotesHint({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const isBare = typeof input === "number" || typeof input === "boolean";
  return expected === "string" && isBare ? " in quotes" : "";
}

/** What was probably meant, where a value differs from one of these by its capitals or by a slip. */
function meantHint({ values, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): string {
  if (typeof input !== "string") return "";
  const meant = nearestName(input, values.map(String));
  if (meant === undefined) return "";
  if (input.toUpperCase() === meant) return " (capital letters)";
  if (input.toLowerCase() === meant) return " (small letters)";
  return `: did you mean ${meant}?`;
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  return `must ${bound(issue.origin, "at least", String(issue.minimum))}`;
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  return `must ${bound(issue.origin, "at most", String(issue.maximum))}`;
}

function bound(origin: string, comparison: string, limit: string): string {
  const unit = COUNTED_UNITS[origin];
  if (unit === undefined) return `be ${comparison} ${limit}`;
  return `have ${comparison} ${limit} ${unit}${limit === "1" ? "" : "s"}`;
}
