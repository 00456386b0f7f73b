import { readFileSync } from "node:fs";

/**
 * The soft limit of open files (`ulimit -n`), which Node has already raised; `MAX_SAFE_INTEGER` if unlimited.
 * Undefined outside Linux, where /proc is missing.
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
