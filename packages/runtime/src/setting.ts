import { z } from "zod";
import { parseDurationMs } from "./duration.ts";

export const roles = ["api", "watcher", "webhooks", "settlement"] as const;
export type Role = (typeof roles)[number];

/** One environment variable: how its text is read, and how the documentation describes it. */
export type Setting<T = unknown, For extends Role | "all" = Role | "all"> = {
  /** the name of the variable; only settings, errors and documentation use it */
  readonly env: string;
  readonly read: z.ZodType<T, string | undefined>;
  /** the documented default; "required" stops a start without the variable */
  readonly default: string;
  readonly roles: readonly For[];
  readonly meaning: string;
  /** never shown; the variable {@link fileVariableOf} may name a file instead */
  readonly secret?: true;
  /** the part of a value with a secret in it that may be shown */
  shown?(value: NoInfer<T>): string;
  /** a warning about a valid but doubtful value, as the end of a sentence */
  warning?(value: NoInfer<T>): string | undefined;
};

export function isOfRoles({ roles: needing }: Pick<Setting, "roles">, roleNames: readonly Role[]): boolean {
  return needing.some((role) => role === "all" || roleNames.includes(role));
}

export function fileVariableOf({ env }: Pick<Setting, "env">): string {
  return `${env}_FILE`;
}

export function setting<T, For extends Role | "all">(definition: Setting<T, For>): Setting<T, For> {
  return definition;
}

export type ValueOf<S> = S extends Setting<infer T> ? T : never;
type RolesOf<S> = S extends { readonly roles: readonly (infer For)[] } ? For : never;

type IfHad<Name, S, R extends Role> = [Extract<RolesOf<S>, R | "all">] extends [never] ? never : Name;

/** The values of a folder's settings in a process that has at least the roles `R`. */
export type ConfigOf<Settings, R extends Role = never> = [R] extends [infer Given extends Role]
  ? {
      readonly [Name in keyof Settings as IfHad<Name, Settings[Name], Given>]: ValueOf<Settings[Name]>;
    }
  : never;

/** Carries all faults of the settings, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export function choiceOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** Paths are appended to the URL, so it has no blank, query or fragment. */
export function httpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\?#]+$/i.test(text) && URL.canParse(text);
}

/** A duration such as 15s, in milliseconds. */
export const durationMs = z.string().transform((text, issue) => {
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  issue.addIssue({
    code: "custom",
    message: `must be a duration like 500ms, 15s, 10m, 24h or 7d, not "${text}"`,
  });
  return z.NEVER;
});

export function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`);
}

/** The same with a default. */
export function integerOr(value: number, minimum: number, maximum: number) {
  return { read: integer(minimum, maximum).prefault(String(value)), default: String(value) };
}

export const hexKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex characters (32 random bytes)")
  .transform((text): Buffer => Buffer.from(text, "hex"));

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** A base URL without its last slash, which people and payers see. */
export const baseUrl = z
  .string()
  .refine(httpUrl, "must be an http or https URL without a query")
  .refine((text) => !/^https?:\/\/[^/]*@/i.test(text), "must not name a user or a password: payers see it")
  .transform((text) => text.replace(/(?<!\/)\/+$/, ""));
