import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * Writes a file that is made from the sources; `path` is relative to the repository. With `--check` among the
 * arguments nothing is written, and the process fails when the file is not what the sources say.
 */
export async function writeGenerated(path: string, content: string, args: readonly string[]): Promise<void> {
  const file = join(ROOT, path);
  if (!args.includes("--check")) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    process.stdout.write(`${path} written\n`);
    return;
  }
  const found = await readFile(file, "utf8").catch(() => "");
  if (found === content) {
    process.stdout.write(`${path} is up to date\n`);
    return;
  }
  process.stderr.write(`${path} is not what the sources say: run \`npm run generate\` and commit it\n`);
  process.exitCode = 1;
}

/**
 * The text as the formatter wants it in a file of this name.
 *
 * @throws Error when it cannot read the text.
 */
export function formatted(text: string, fileName: string): string {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const run = spawnSync(process.execPath, [biome, "format", `--stdin-file-path=${fileName}`], {
    cwd: ROOT,
    input: text,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}
