import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "./routes.ts";

const router = readFileSync(new URL("../../../../../web/dashboard/src/router.tsx", import.meta.url), "utf8");

it("each page of the router has an address on the server, with the file of its code, and no other has", () => {
  const parts = router.split(/(?:\bpage\(\s*|\bpath: )(?=")/).slice(1);
  const written = parts.map((part): [string, string] => {
    const path = /^"([^"]+)"/.exec(part)?.[1] ?? "";
    const screen = /import\("\.\/screens\/([^"]+)\.tsx"\)/.exec(part)?.[1] ?? "";
    return [path.replace(/\$(\w+)/g, ":$1"), screen];
  });
  expect(Object.fromEntries(written)).toEqual(pages);
});
