import { z } from "zod";
import { parseDurationMs } from "./duration.ts";

/** The parts of the service that can run as processes of their own. */
export const roles = ["api", "watcher", "webhooks"] as const;
export type Role = (typeof roles)[number];

/** One variable of the environment: how its text is read, and what the documentation says of it. */
export type Setting<T = unknown, For extends Role | "all" = Role | "all"> = {
  /** the name of the variable; nothing but settings, errors and documentation says it */
  readonly env: string;
  readonly read: z.ZodType<T, string | undefined>;
  /** what the documentation shows when the variable is not set; "required" stops the start */
  readonly default: string;
  readonly roles: readonly For[];
  readonly meaning: string;
  /** never shown; {@link fileVariableOf} may name a file that holds it instead */
  readonly secret?: true;
  /** what may be shown of a value that holds a secret in a part of it */
  shown?(value: NoInfer<T>): string;
  /** what is doubtful about a value that can be used, to be read behind the variable; undefined where nothing is */
  warning?(value: NoInfer<T>): string | undefined;
};

/** Whether a process with these roles needs the setting. */
export function isOfRoles({ roles: needing }: Pick<Setting, "roles">, roleNames: readonly Role[]): boolean {
  return needing.some((role) => role === "all" || roleNames.includes(role));
}

/** The variable that names the file of a secret. */
export function fileVariableOf({ env }: Pick<Setting, "env">): string {
  return `${env}_FILE`;
}

/** A setting as it is given; keeps in its type what it reads and which roles have it. */
export function setting<T, For extends Role | "all">(definition: Setting<T, For>): Setting<T, For> {
  return definition;
}

/** What a setting reads. */
export type ValueOf<S> = S extends Setting<infer T> ? T : never;
type RolesOf<S> = S extends { readonly roles: readonly (infer For)[] } ? For : never;

/** `Name` where a process with the roles `R` has the setting. */
type IfHad<Name, S, R extends Role> = [Extract<RolesOf<S>, R | "all">] extends [never] ? never : Name;

/**
 * What a process that has the roles `R`, whatever others it has, runs with of a room's settings. Without roles it is
 * what every process has.
 */
export type ConfigOf<Settings, R extends Role = never> = [R] extends [infer Given extends Role]
  ? {
      readonly [Name in keyof Settings as IfHad<Name, Settings[Name], Given>]: ValueOf<Settings[Name]>;
    }
  : never;

/** Thrown with every fault of the settings at once, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Exactly one of these names. */
export function choiceOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** Paths are written behind it as it stands, so it has no blank, query or fragment. */
export function httpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\?#]+$/i.test(text) && URL.canParse(text);
}

/** A length of time like 15s, in milliseconds. */
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

/** A key of 32 random bytes, in hex. */
export const hexKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex characters (32 random bytes)")
  .transform((text): Buffer => Buffer.from(text, "hex"));

/** Items with commas between; blanks around them and empty ones do not count. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
