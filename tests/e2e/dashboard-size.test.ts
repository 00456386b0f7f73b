import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const APP = fileURLToPath(new URL("../../web/dashboard/dist/app/", import.meta.url));
const FIRST_LOAD_BYTES = 150_000;
const PAGE_BYTES = 30_000;

type Output = { entryPoint?: string; imports: { path: string; kind: string }[] };
const { outputs } = JSON.parse(readFileSync(join(APP, "manifest.json"), "utf8")) as {
  outputs: Record<string, Output>;
};
const root = join(APP, "../../..");
const bytesOf = (path: string) => gzipSync(readFileSync(join(root, path))).length;

/** A file with everything that it needs before it runs. */
function closureOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const file of outputs[path]?.imports ?? [])
    if (file.kind === "import-statement") closureOf(file.path, found);
  return found;
}

const [main = ""] = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint?.endsWith("main.tsx"));
const sheets = Object.keys(outputs).filter((path) => path.endsWith(".css"));
const first = closureOf(main);
const sumOf = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + bytesOf(path), 0);

describe("the size of the dashboard, packed with gzip", () => {
  it("is at most 150 kB before the first page, in every language", () => {
    expect(dirname(main)).toBe("dashboard/dist/app");
    const catalogues = Object.keys(outputs).filter((path) =>
      /words\/(?:en\/en\.ts|[\w-]+\.json)$/.test(outputs[path]?.entryPoint ?? ""),
    );
    expect(catalogues).toHaveLength(10);
    const largest = Math.max(...catalogues.map(bytesOf));
    expect(sumOf([...first, ...sheets]) + largest).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  it("grows by at most 30 kB with any page", () => {
    const pages = Object.keys(outputs).filter((path) =>
      /screens\/.*\.tsx$/.test(outputs[path]?.entryPoint ?? ""),
    );
    expect(pages.length).toBeGreaterThan(15);
    const large = pages
      .map((path) => ({ path, bytes: sumOf([...closureOf(path)].filter((file) => !first.has(file))) }))
      .filter(({ bytes }) => bytes > PAGE_BYTES);
    expect(large).toEqual([]);
  });
});
