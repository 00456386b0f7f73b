import { spawn } from "node:child_process";
import { join } from "node:path";

export const SCRIPTS = join(import.meta.dirname, "wordpress");
/** Compiled code is shared by the commands and the server, since WordPress has thousands of files. */
const SETTINGS = [
  "opcache.enable=1",
  "opcache.enable_cli=1",
  "opcache.revalidate_freq=0",
  "memory_limit=512M",
];

/** The options of PHP for a shop in this folder. */
export function phpOptions(...more: string[]): string[] {
  return [...SETTINGS, ...more].flatMap((setting) => ["-d", setting]);
}

/** Runs one of the scripts in the folder of a shop, and returns its output. @throws Error with all that it printed */
export async function runPhp(
  script: string,
  folder: string,
  input: object,
  options: string[],
): Promise<string> {
  const child = spawn("php", [...options, join(SCRIPTS, script)], { cwd: folder });
  let [text, errors] = ["", ""];
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  child.stdin.end(JSON.stringify(input));
  const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  if (code !== 0)
    throw new Error(
      `${script} ended with ${code}: ${`${text}${errors}`.slice(-2_000)}\n${JSON.stringify(input).slice(0, 500)}`,
    );
  return text;
}
