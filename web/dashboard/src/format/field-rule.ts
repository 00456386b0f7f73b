import { words } from "../words/words.ts";
import { durationWords } from "./setting.ts";

/** A rule that a field broke, as the service says it. A rule with a name has its limits in a fixed order. */
type BrokenRule = {
  readonly message: string;
  readonly rule?: { readonly name: string; readonly limits: readonly string[] };
};

/** The rule in the language of the pages; the service's own sentence if it has no name that is known here. */
export function ruleText({ message, rule }: BrokenRule): string {
  if (rule === undefined) return message;
  const known: Readonly<Record<string, unknown>> = words.rules;
  // Keys that move a wallet's money alone are another sentence than keys that need the wallet's own.
  const name = rule.name === "walletKeys" && !rule.limits[1] ? "walletKeysShared" : rule.name;
  if (!Object.hasOwn(known, name)) return message;
  const text = known[name] as string | ((limits: readonly string[]) => string);
  const limits = name.startsWith("duration") ? rule.limits.map(durationWords) : rule.limits;
  return typeof text === "string" ? text : text(limits);
}
