import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type ShellVariables = Readonly<Record<string, string>>;

/**
 * Writes `daric.env` for a shell: the settings of the running service for the `daric` program. Only this user
 * can read it. Returns a function that removes it.
 */
export async function publishVariables(
  home: string,
  variables: ShellVariables,
): Promise<() => Promise<void>> {
  const path = variablesPath(home);
  // An existing file would keep its mode.
  await rm(path, { force: true });
  await writeFile(path, shellExports(variables), { mode: 0o600 });
  return () => rm(path, { force: true });
}

export function variablesPath(home: string): string {
  return join(home, "daric.env");
}

/** Lines that export these variables in any POSIX shell, whatever their values. */
export function shellExports(variables: ShellVariables): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`)
    .join("");
}

/** In single quotes only the quote itself is special. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
