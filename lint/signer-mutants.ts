import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant, TestRun } from "./mutant-sandbox.ts";

const POLICY = "apps/signer/src/policy.ts";
const BUILD = "apps/signer/src/build-transaction.ts";
const root = join(import.meta.dirname, "..");

const unit = (file: string): TestRun => ({ project: "unit", files: [`apps/signer/src/${file}`] });
const sourceOf = (file: string) => readFileSync(join(root, file), "utf8");

/**
 * The signer without one rule of its policy, or without one comparison of the final bytes: a test must fail for
 * each.
 */
export const signerMutants: readonly Mutant[] = [...withoutRules(), ...withoutComparisons(), ...others()];

/** The lists of the policy name each rule; the mutant removes the name. */
function withoutRules(): Mutant[] {
  const lists = /^const always = .*?^\};$/ms;
  const [text = ""] = lists.exec(sourceOf(POLICY)) ?? [];
  const names = new Set([...text.matchAll(/(?<=[[,]\s*)\w+(?=[\],])/g)].map(([name]) => name));
  return [...names].map((name) => ({
    name: `signer: without the rule ${name}`,
    changes: new Map([
      [
        POLICY,
        (source: string) =>
          source.replace(lists, (list) => list.replaceAll(new RegExp(`\\b${name},?`, "g"), "")),
      ],
    ]),
    readers: [unit("policy.test"), unit("sign-request.test")],
  }));
}

function withoutComparisons(): Mutant[] {
  const comparison = /^ {4}(?:said\.)?(\w+)(:| =) [^;]*?(?=[,;]$)/gm;
  const [body = ""] = /^ {2}const said: .*?^ {2}return/ms.exec(sourceOf(BUILD)) ?? [];
  return [...body.matchAll(comparison)].map(([text, field, sign]) => ({
    name: `signer: the final bytes may have another ${field} (${text.trim().slice(0, 40)})`,
    changes: new Map([
      [
        BUILD,
        (source: string) => source.replace(text, () => text.replace(/(:| =) .*/s, () => `${sign} true`)),
      ],
    ]),
    readers: [unit("build-transaction.test")],
  }));
}

function others(): Mutant[] {
  const violation = (
    name: string,
    file: string,
    [from, to]: readonly [string, string],
    reader: string,
  ): Mutant => ({
    name: `signer: ${name}`,
    changes: new Map([[`apps/signer/src/${file}`, (source: string) => source.replace(from, to)]]),
    readers: [unit(reader)],
  });
  return [
    violation(
      "a change of destination takes effect at once",
      "destinations.ts",
      ["if (isOnly || ", "if (true || "],
      "destinations.test",
    ),
    violation(
      "an entry needs no signature",
      "destinations.ts",
      ["if (!fault && !verify(", "if (false && !verify("],
      "destinations.test",
    ),
    violation(
      "an old entry may be added again",
      "destinations.ts",
      ["entry.counter <= last", "false"],
      "destinations.test",
    ),
    violation(
      "addresses without a MAC are accepted from several merchants",
      "policy.ts",
      ["merchants === 1", "merchants >= 1"],
      "policy.test",
    ),
    violation(
      "gas is used up by nothing",
      "journal.ts",
      ['if (kind === "sweep" && currency !== "TRX") unusedTopUps', "if (false) unusedTopUps"],
      "policy.test",
    ),
    violation(
      "any code is a token of the first contract",
      "policy.ts",
      ["!Object.hasOwn(tokens, currency)", "false"],
      "policy.test",
    ),
    violation("a journal may be changed", "journal.ts", ["must(isWhole, ", "must(true, "], "journal.test"),
    violation(
      "a line may be removed from a journal",
      "journal.ts",
      ["must(isNext, ", "must(true, "],
      "journal.test",
    ),
    violation(
      "two signers write one journal",
      "journal.ts",
      ["must(size === journal.bytes, ", "must(true, "],
      "journal.test",
    ),
    violation(
      "a signed request is signed anew",
      "sign-request.ts",
      ["if (before !== undefined)", "if (false)"],
      "policy.test",
    ),
  ];
}
