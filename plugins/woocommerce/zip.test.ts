import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeShopPlugin } from "../../ops/release/shop-plugin.ts";

/** The paths in a zip without a comment, by its directory. */
function pathsOf(zip: Buffer): string[] {
  const paths: string[] = [];
  let at = zip.readUInt32LE(zip.length - 6);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const length = zip.readUInt16LE(at + 28);
    paths.push(zip.toString("utf8", at + 46, at + 46 + length));
    at += 46 + length;
  }
  return paths;
}

it("the zip of the plugin holds the PHP client and each translation compiled, and no test", async () => {
  const folder = await mkdtemp(join(tmpdir(), "daric-plugin-"));
  try {
    const release = { folder, version: "1.2.3", committedAt: new Date("2026-12-01T00:00:00Z") };
    const file = await writeShopPlugin(release);
    expect(file).toBe(join(folder, "daric-woocommerce-1.2.3.zip"));
    const bytes = await readFile(file);
    const paths = pathsOf(bytes);
    for (const path of ["daric.php", "src/Plugin.php", "vendor/Daric.php", "vendor/Webhook.php", "LICENSE"])
      expect(paths).toContain(`daric/${path}`);
    for (const path of paths)
      expect(path).toMatch(/^daric\/(?!tests\/|vendor\/Testing\/|vendor\/Curl)[\w./-]+(?<!\.ts)$/);
    const translations = paths.filter((path) => path.endsWith(".po"));
    for (const path of translations) expect(paths).toContain(path.replace(/po$/, "mo"));
    await writeShopPlugin(release);
    expect(Buffer.compare(await readFile(file), bytes)).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
