import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeShopPlugin } from "./shop-plugin.ts";

/** `npm run release:plugin -- <folder>`: the zip of the WooCommerce plugin alone, of the files that git tracks in this tree. */
const ROOT = join(import.meta.dirname, "../..");
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("name a folder for the zip: npm run release:plugin -- <folder>\n");
  process.exitCode = 2;
} else {
  await mkdir(resolve(folder), { recursive: true });
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const time = execFileSync("git", ["log", "-1", "--format=%cI"], { cwd: ROOT, encoding: "utf8" }).trim();
  const file = await writeShopPlugin({ folder: resolve(folder), version, committedAt: new Date(time) });
  process.stdout.write(`${file}\n`);
}
