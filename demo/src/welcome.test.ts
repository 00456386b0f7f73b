import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Demo } from "./start-demo.ts";
import { welcome } from "./welcome.ts";

const guide = readFileSync(new URL("../../docs/start.md", import.meta.url), "utf8");
const demo = {
  settings: { network: "devnet", home: "/home/me/.daric", nodeUrls: "" },
  baseUrl: "http://127.0.0.1:3100",
  devchain: { url: "http://127.0.0.1:9190" },
  merchants: { first: { apiKey: "daric_test_sk_1" } },
  dashboard: undefined,
  nodeFault: undefined,
} as unknown as Demo;

it("npm start prints the variables of this service and every step of docs/start.md", () => {
  const text = welcome(demo);
  for (const variable of ["URL=http://127.0.0.1:3100", "CHAIN=http://127.0.0.1:9190", "KEY=daric_test_sk_1"])
    expect(text).toContain(variable);
  const titles = [...guide.matchAll(/^## (\d+\. .*)$/gm)].map(([, title = ""]) => title);
  expect(titles.length).toBeGreaterThan(3);
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
  expect(text.replace(/^ {5}/gm, "")).toContain("curl -s $CHAIN/devchain/faucet");
});

it("without a local chain no step uses its faucet", () => {
  expect(welcome({ ...demo, devchain: undefined } as unknown as Demo)).not.toContain("$CHAIN");
});
