import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type ShellVariables = Readonly<Record<string, string>>;

/**
 * Writes `daric.env`, which a shell reads: the settings of the service that runs here, for the `daric` program beside it. Only
 * this user can read it. Answers how to remove it.
 */
export async function publishVariables(
  home: string,
  variables: ShellVariables,
): Promise<() => Promise<void>> {
  const path = variablesPath(home);
  // A file that is there keeps the mode it has.
  await rm(path, { force: true });
  await writeFile(path, shellExports(variables), { mode: 0o600 });
  return () => rm(path, { force: true });
}

export function variablesPath(home: string): string {
  return join(home, "daric.env");
}

/** Lines by which any POSIX shell has these variables and hands them on, whatever they hold. */
export function shellExports(variables: ShellVariables): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`)
    .join("");
}

/** In single quotes nothing is special but their end. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
