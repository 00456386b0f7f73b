import { readFileSync } from "node:fs";

/** The soft limit of open files; `MAX_SAFE_INTEGER` if unlimited, undefined outside Linux (no /proc). */
export function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files {1,99}(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    if (soft === "unlimited") return Number.MAX_SAFE_INTEGER;
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
