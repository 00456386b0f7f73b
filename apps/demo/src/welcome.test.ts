import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { saveReceiver } from "./receiver.ts";
import type { Demo } from "./start-demo.ts";
import { welcome } from "./welcome.ts";

const guide = readFileSync(new URL("../../../docs/start.md", import.meta.url), "utf8");
const demo = {
  settings: { network: "devnet", home: "/home/me/.daric", nodeUrls: "" },
  baseUrl: "http://127.0.0.1:3100",
  devchain: { url: "http://127.0.0.1:9190" },
  merchants: { first: { apiKey: "daric_test_sk_1" } },
  dashboard: undefined,
  nodeFault: undefined,
} as unknown as Demo;

const receiver = { file: "/home/me/.daric/receiver.mjs", port: 4003 };

it("the printed steps run the receiver that npm start saved, on the port that it listens on", async () => {
  const text = welcome(demo, receiver);
  expect(text).toContain("node '/home/me/.daric/receiver.mjs' &");
  expect(text).toContain("http://127.0.0.1:4003/hook");
  expect(text).not.toContain("4000");
  const home = mkdtempSync(join(tmpdir(), "daric-receiver-"));
  const taken = createServer();
  await new Promise((resolve) =>
    taken.once("error", resolve).listen(4000, "127.0.0.1", () => resolve(undefined)),
  );
  const { file, port } = await saveReceiver(home);
  taken.close();
  expect(port).toBeGreaterThan(4000);
  expect(readFileSync(file, "utf8")).toContain(`.listen(${port}, "127.0.0.1")`);
  rmSync(home, { recursive: true });
});

it("npm start prints the variables of this service and every step of docs/start.md", () => {
  const text = welcome(demo, receiver);
  for (const variable of ["URL=http://127.0.0.1:3100", "CHAIN=http://127.0.0.1:9190", "KEY=daric_test_sk_1"])
    expect(text).toContain(variable);
  const titles = [...guide.matchAll(/^## (\d+\. .*)$/gm)].map(([, title = ""]) => title);
  expect(titles.length).toBeGreaterThan(3);
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
  expect(text.replace(/^ {5}/gm, "")).toContain("curl -s $CHAIN/devchain/faucet");
});

it("without a local chain no step uses its faucet", () => {
  expect(welcome({ ...demo, devchain: undefined } as unknown as Demo, receiver)).not.toContain("$CHAIN");
});
