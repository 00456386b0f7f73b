/** The stable names of rules of fields, with what their limits are. A page says the rule in its reader's language. */
export const fieldRules = {
  required: [],
  /** the value is none of the kind, or none of the possible ones */
  invalid: [],
  reason: [],
  /** characters */
  length: ["least", "most"],
  maxLength: ["most"],
  minLength: ["least"],
  /** different characters of a password */
  distinct: [],
  /** a password that is made of the most used ones */
  common: [],
  email: [],
  url: [],
  httpsUrl: [],
  /** origins of pages */
  origins: ["most"],
  webhookTarget: [],
  colour: [],
  duration: [],
  durationFrom: ["least"],
  durationTo: ["most"],
  percentage: [],
  wholeNumber: ["least", "most"],
  atLeast: ["least"],
  atMost: ["most"],
  amount: [],
  decimals: ["most"],
  address: [],
  atLeastOne: [],
  /** entries of a list */
  maxItems: ["most"],
  picture: [],
  /** kB */
  pictureSize: ["most"],
  /** pixels of a side */
  pictureSide: ["most"],
  member: [],
  passkey: [],
  /** a time that is over */
  future: [],
  /** the largest amount is below the least one */
  bounds: [],
  /** an amount beyond the bounds */
  withinBounds: [],
  /** days since the payment was created */
  openDays: ["most"],
  /** the digest that confirms a wallet's permissions, the keys that move all of its money without its own, and all other keys */
  walletKeys: ["digest", "moving", "others"],
} as const satisfies Record<string, readonly string[]>;

export type FieldRuleName = keyof typeof fieldRules;
/** The rule that a field broke: its stable name, and its limits in the order of `fieldRules`. */
export type FieldRule = { readonly name: FieldRuleName; readonly limits: readonly string[] };

export function fieldRule(name: FieldRuleName, ...limits: readonly (number | string)[]): FieldRule {
  return { name, limits: limits.map(String) };
}

/** A rule of our own for `refine` and `addIssue` of zod: its sentence, and its name. */
export function ruled(message: string, name: FieldRuleName, ...limits: readonly (number | string)[]) {
  return { message, params: { rule: fieldRule(name, ...limits) } };
}

/** A fault that zod found: the parts that name a rule. */
type Issue = {
  readonly code: string;
  readonly input?: unknown;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
};

/** The rule of an issue; undefined where it has no name. */
export function ruleOfIssue(issue: Issue): FieldRule | undefined {
  switch (issue.code) {
    case "custom":
      return issue.params?.rule as FieldRule | undefined;
    case "invalid_type":
      return fieldRule(issue.input === undefined ? "required" : "invalid");
    case "invalid_value":
      return fieldRule("invalid");
    case "too_small":
      return tooSmall(issue.origin, String(issue.minimum));
    case "too_big":
      return fieldRule(MAX_KEYWORDS[issue.origin ?? ""] ?? "atMost", String(issue.maximum));
    default:
      return undefined;
  }
}

const MAX_KEYWORDS: Readonly<Record<string, FieldRuleName>> = { string: "maxLength", array: "maxItems" };

function tooSmall(origin: string | undefined, min: string): FieldRule {
  if (origin === "array") return fieldRule("atLeastOne");
  if (origin !== "string") return fieldRule("atLeast", min);
  return min === "1" ? fieldRule("required") : fieldRule("minLength", min);
}
