import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pagePaths } from "./routes.ts";

const router = readFileSync(new URL("../../../../dashboard/src/router.tsx", import.meta.url), "utf8");

it("each page of the router has an address on the server, and no other has", () => {
  const written = [...router.matchAll(/(?:\bpage\(\s*|\bpath: )"([^"]+)"/g)].map(([, path = ""]) =>
    path.replace(/\$(\w+)/g, ":$1"),
  );
  expect([...pagePaths].sort()).toEqual([...written].sort());
});
