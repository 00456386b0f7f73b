import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes a file that is made from the sources; with `--check` among the arguments it writes nothing and fails when
 * the file is not what the sources say. `path` is relative to the repository.
 */
export async function writeGenerated(path: string, content: string, args: readonly string[]): Promise<void> {
  const file = new URL(path, new URL(`file://${ROOT}`));
  const name = relative(ROOT, fileURLToPath(file));
  if (args.includes("--check")) {
    const found = await readFile(file, "utf8").catch(() => "");
    if (found !== content)
      throw new Error(`${name} is not what the sources say: write it again and commit it`);
    process.stdout.write(`${name} is up to date\n`);
    return;
  }
  await mkdir(dirname(fileURLToPath(file)), { recursive: true });
  await writeFile(file, content);
  process.stdout.write(`${name} written\n`);
}
