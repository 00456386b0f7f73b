import { testEnvironment } from "@daric/testing/context";
import { expect, it } from "vitest";
import { type Role, roles } from "../runtime/setting.ts";
import { readConfig } from "./config.ts";
import { configWarningsOf } from "./config-warnings.ts";

const THREE_NODES = "https://a.example,https://b.example,https://c.example";

function warnings(overrides: Record<string, string>, roleNames: readonly Role[] = roles): string[] {
  const env = testEnvironment(overrides);
  return configWarningsOf(env, readConfig(env, roleNames), roleNames);
}

it("what npm start and the tests set is beyond doubt", () => {
  expect(warnings({ DARIC_HOME: ".daric", DEVCHAIN_PORT: "9090" })).toEqual([]);
});

it("a missing base URL is reported by the role that makes links alone", () => {
  expect(warnings({ PUBLIC_BASE_URL: "" })).toEqual([
    "PUBLIC_BASE_URL is not set: checkout_url is null in every answer",
  ]);
  expect(warnings({ PUBLIC_BASE_URL: "" }, ["watcher", "webhooks"])).toEqual([]);
});

it("a base address on mainnet that is not https is doubtful; on a test network it is not", () => {
  const shown = { PUBLIC_BASE_URL: "http://pay.example", TRON_NODE_URLS: THREE_NODES };
  expect(warnings({ ...shown, TRON_NETWORK: "mainnet" })).toEqual([
    expect.stringMatching(/^PUBLIC_BASE_URL is not https/),
  ]);
  expect(warnings({ ...shown, TRON_NETWORK: "nile" })).toEqual([]);
});

it("a base address that is the machine's own is doubtful where payers are other people", () => {
  for (const url of ["https://localhost:3000", "http://127.0.0.1", "https://[::1]/pay"]) {
    const shown = { PUBLIC_BASE_URL: url, TRON_NODE_URLS: THREE_NODES };
    expect(warnings({ ...shown, TRON_NETWORK: "nile" })).toEqual([
      expect.stringMatching(/^PUBLIC_BASE_URL is this machine itself/),
    ]);
    expect(warnings({ ...shown, TRON_NETWORK: "devnet" })).toEqual([]);
  }
});

it("one node of a public network, and an even number of nodes, are doubtful to a process that reads the chain", () => {
  const live = { TRON_NETWORK: "mainnet", PUBLIC_BASE_URL: "https://pay.example" };
  const two = "https://a.example,https://b.example";
  expect(warnings({ ...live, TRON_NODE_URLS: "https://a.example" })).toEqual([
    expect.stringMatching(/^TRON_NODE_URLS names one node: a single dishonest node is not detected/),
  ]);
  expect(warnings({ ...live, TRON_NODE_URLS: two })).toEqual([
    expect.stringMatching(/^TRON_NODE_URLS names 2 nodes, an even number: one node decides/),
  ]);
  expect(warnings({ TRON_NODE_URLS: two, TRON_QUORUM: "2" })).toEqual([
    expect.stringMatching(/^TRON_NODE_URLS names 2 nodes, an even number: with 3, 2 must agree/),
  ]);
  expect(warnings({ ...live, TRON_NODE_URLS: two }, ["api"])).toEqual([]);
  expect(warnings({ ...live, TRON_NODE_URLS: THREE_NODES })).toEqual([]);
});

it("what decides for one node is doubtful where several nodes must agree", () => {
  expect(warnings({ TRON_NODE_URLS: THREE_NODES, TRON_UNPROVEN: "trust" })).toEqual([
    "TRON_UNPROVEN is trust, which decides nothing: 2 nodes must agree",
  ]);
  expect(warnings({ TRON_UNPROVEN: "hold" })).toEqual([]);
});

it("a node that is named by a path of its API is doubtful", () => {
  expect(warnings({ TRON_NODE_URLS: "http://a.example/s3cret/wallet" })).toEqual([
    "TRON_NODE_URLS has a URL that ends in a path of the node's API, which is added to it",
  ]);
});

it("two sources of prices are enough as long as both answer, which is doubtful", () => {
  const nile = {
    TRON_NETWORK: "nile",
    PUBLIC_BASE_URL: "https://pay.example",
    TRON_NODE_URLS: THREE_NODES,
  };
  expect(warnings({ ...nile, RATE_SOURCES: "USDT=kraken+gemini" })).toEqual([
    expect.stringMatching(/^RATE_SOURCES names two sources for USDT:/),
  ]);
  expect(warnings({ ...nile, RATE_SOURCES: "USDT=kraken+gemini+okx" })).toEqual([]);
});

it("a target that is public opens nothing", () => {
  expect(warnings({ WEBHOOK_ALLOW_TARGETS: "10.0.0.0/8,8.8.8.8,hooks.internal,2606:4700::1" })).toEqual([
    'WEBHOOK_ALLOW_TARGETS has "8.8.8.8", "2606:4700::1", which is public: nothing closes it',
  ]);
});

it("a range of targets that is public opens nothing, and one that holds public and private ones opens too much", () => {
  const targets = "8.8.8.0/24,10.0.0.0/8,172.16.0.0/12,fd00::/8,0.0.0.0/0,192.168.0.0/15,2606:4700::/32,::/0";
  expect(warnings({ WEBHOOK_ALLOW_TARGETS: targets })).toEqual([
    'WEBHOOK_ALLOW_TARGETS has "8.8.8.0/24", "2606:4700::/32", which is public: nothing closes it; ' +
      'has "0.0.0.0/0", "192.168.0.0/15", "::/0", which opens every private network in it, and public ones need no entry: name those that are meant',
  ]);
});

it("a range of proxies that is wider than any network is doubtful", () => {
  const proxies = "0.0.0.0/1,10.0.0.0/8,104.16.0.0/13,8000::/1,fc00::/7,2400:cb00::/32";
  expect(warnings({ TRUSTED_PROXIES: proxies })).toEqual([
    expect.stringMatching(/^TRUSTED_PROXIES has "0\.0\.0\.0\/1", "8000::\/1", which is wider/),
  ]);
});

it("a variable that is no setting is among them", () => {
  expect(warnings({ LOGLEVEL: "debug" })).toEqual(["LOGLEVEL is no setting: is LOG_LEVEL meant?"]);
});
