import { words } from "../words/words.ts";

type Rules = typeof words.rules;

/** The service's sentences of a rule, and the same rule in the language of the pages. */
const SENTENCES: readonly (readonly [RegExp, (rules: Rules, numbers: readonly string[]) => string])[] = [
  [/^(is required|must have at least 1 character)$/, (rules) => rules.required],
  [/^must have (\d+) to (\d+) characters/, (rules, [least = "", most = ""]) => rules.length(least, most)],
  [/^must have at most (\d+) characters/, (rules, [most = ""]) => rules.maxLength(most)],
  [/^must have at least \d+ different characters/, (rules) => rules.distinct],
  [/^must be an e-mail address/, (rules) => rules.email],
  [/\bURL\b|^must have no blanks, control/, (rules) => rules.url],
  [/^must be a duration/, (rules) => rules.duration],
  [/^must be a percentage/, (rules) => rules.percentage],
  [
    /^must be a whole number from (\d+) to (\d+)/,
    (rules, [least = "", most = ""]) => rules.wholeNumber(least, most),
  ],
  [/^must be (an amount|a decimal)|\bdecimals\b/, (rules) => rules.amount],
  [/^is no TRON address/, (rules) => rules.address],
];

/** A rule of the service in the language of the pages; its own sentence if the rule is not known here. */
export function ruleText(sentence: string): string {
  for (const [pattern, translate] of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found !== null) return translate(words.rules, found.slice(1));
  }
  return sentence;
}
