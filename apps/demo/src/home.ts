import { randomBytes } from "node:crypto";
import { access, constants, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DemoError } from "./settings.ts";

/**
 * Makes the demo's folder, closed to other users. PostgreSQL may run as another user: it needs no access to the
 * folders above its data. An existing folder keeps its mode.
 *
 * @throws DemoError with the reason in one line.
 */
export async function openHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new DemoError(`Cannot use ${home} (${code}). Set DARIC_HOME to a folder that you can write to.`);
  }
}

/** Writes a file that only this user can read, completely or not at all. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

/**
 * The stored value, or undefined.
 *
 * @throws DemoError if the file cannot be read.
 */
export async function readPrivateJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new DemoError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The value in a file of the home; `create` makes it at the first start. */
export async function keep<T>(home: string, file: string, create: () => Promise<T>): Promise<T> {
  const path = join(home, file);
  const kept = await readPrivateJson<T>(path);
  if (kept !== undefined) return kept;
  const value = await create();
  await writePrivateJson(path, value);
  return value;
}

/**
 * Claims the home for this process, and takes over the claim of a killed one. Returns whether a killed demo left a
 * claim, and a function that releases this one.
 *
 * @throws DemoError if a running demo has the home.
 */
export async function claimDemoHome(
  home: string,
): Promise<{ wasLeftBehind: boolean; release: () => Promise<void> }> {
  const path = join(home, "demo.pid");
  const former = await readPrivateJson<{ pid: number; startedAt: string }>(path).catch(() => undefined);
  if (former !== undefined && former.pid !== process.pid && (await isDemo(former.pid))) {
    throw new DemoError(
      `Daric is already running in ${home} (pid ${former.pid}). Stop it or set DARIC_HOME.`,
    );
  }
  await writePrivateJson(path, { pid: process.pid, startedAt: new Date().toISOString() });
  return { wasLeftBehind: former !== undefined, release: () => rm(path, { force: true }) };
}

/** Whether the pid is a running demo and not another process with a reused number. */
async function isDemo(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return commandLine === undefined || commandLine.includes("demo/dist/main.js");
}
