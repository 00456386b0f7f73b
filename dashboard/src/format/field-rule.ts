import { words } from "../words/words.ts";
import { durationWords } from "./setting.ts";

/** A rule that a field broke, as the service says it. A rule with a name has its limits in a fixed order. */
type BrokenRule = {
  readonly message: string;
  readonly rule?: { readonly name: string; readonly limits: readonly string[] };
};

/** The rule in the language of the pages; the service's own sentence if it has no name that is known here. */
export function ruleText({ message, rule }: BrokenRule): string {
  const known: Readonly<Record<string, string | ((...limits: string[]) => string)>> = words.rules;
  const text = rule && Object.hasOwn(known, rule.name) ? known[rule.name] : undefined;
  if (rule === undefined || text === undefined) return message;
  const limits = rule.name.startsWith("duration") ? rule.limits.map(durationWords) : rule.limits;
  return typeof text === "string" ? text : text(...limits);
}
