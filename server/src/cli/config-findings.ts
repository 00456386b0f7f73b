import type { SettingReading } from "../runtime/read-setting.ts";

/** How a setting, or what was tried with it, stands: a fault stops a start, and what is doubtful does not. */
export type ConfigVerdict = "OK" | "doubtful" | "fault";

/** What `daric config check` says of one variable. */
export type SettingFinding = {
  readonly name: string;
  readonly source: SettingReading["source"];
  /** null where it may not be shown, or cannot be read */
  readonly value: string | null;
  /** of a secret, for people to compare; null for what is none, or is not set */
  readonly fingerprint: string | null;
  readonly verdict: ConfigVerdict;
  /** what is wrong or doubtful, behind the name */
  readonly words: string | null;
};

/** What `daric config check` has tried, and what came of it. */
export type Trial = { readonly trial: string; readonly verdict: ConfigVerdict; readonly words: string };

/** The worst of several. */
export function worstVerdict(findings: readonly { readonly verdict: ConfigVerdict }[]): ConfigVerdict {
  const verdicts = findings.map(({ verdict }) => verdict);
  if (verdicts.includes("fault")) return "fault";
  return verdicts.includes("doubtful") ? "doubtful" : "OK";
}

/** What could not be tried. The reason is a finding of its own, so this is none. */
export function untried(trial: string, reason: string): Trial {
  return { trial, verdict: "doubtful", words: `not tried: ${reason}` };
}

/**
 * What `work` answers, unless that takes longer.
 *
 * @throws Error that says how long was waited.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
