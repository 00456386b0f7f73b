import type { SettingReading } from "@daric/runtime/read-setting";

/** The verdict on a setting or a trial: a fault stops a start, a doubt does not. */
export type ConfigVerdict = "OK" | "doubtful" | "fault";

/** The finding of `daric config check` about one variable. */
export type SettingFinding = {
  readonly name: string;
  readonly source: SettingReading["source"];
  /** null if it is secret or unreadable */
  readonly value: string | null;
  /** of a secret, for comparison; null if not secret or not set */
  readonly fingerprint: string | null;
  readonly verdict: ConfigVerdict;
  /** the fault or doubt, to follow the name */
  readonly words: string | null;
};

/** A trial of `daric config check`, with its result. */
export type Trial = { readonly trial: string; readonly verdict: ConfigVerdict; readonly words: string };

/** The worst of several. */
export function worstVerdict(findings: readonly { readonly verdict: ConfigVerdict }[]): ConfigVerdict {
  const verdicts = findings.map(({ verdict }) => verdict);
  if (verdicts.includes("fault")) return "fault";
  return verdicts.includes("doubtful") ? "doubtful" : "OK";
}

/** A trial that could not run. Its reason is a finding of its own, so this one is OK. */
export function untried(trial: string, reason: string): Trial {
  return { trial, verdict: "doubtful", words: `not tried: ${reason}` };
}

/**
 * The result of `work`, within a time limit.
 *
 * @throws Error with the waited time if it takes longer.
 */
export async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T> {
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
