import { readFileSync } from "node:fs";

/**
 * How many files this process may have open (`ulimit -n`), which Node has raised as far as it may by then; the largest exact
 * number where there is no limit. Undefined where the system does not say: Linux does, in /proc.
 */
export function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files {1,99}(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    if (soft === "unlimited") return Number.MAX_SAFE_INTEGER;
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
