import { type Role, roles } from "@daric/runtime/setting";
import { testEnvironment } from "@daric/testing/context";
import { expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { configWarningsOf } from "./config-warnings.ts";

const THREE_NODES = "https://a.example,https://b.example,https://c.example";

function warnings(overrides: Record<string, string>, roleNames: readonly Role[] = roles): string[] {
  const env = testEnvironment(overrides);
  return configWarningsOf(env, readConfig(env, roleNames), roleNames);
}

it("the settings of npm start and the tests give no warning", () => {
  expect(warnings({ DARIC_HOME: ".daric", DEVCHAIN_PORT: "9090" })).toEqual([]);
});

it("each role warns of a missing base URL, since alerts have links too", () => {
  const missing = [
    "PUBLIC_BASE_URL is not set: checkout_url is null in every answer, and alerts have no links",
  ];
  expect(warnings({ PUBLIC_BASE_URL: "" })).toEqual(missing);
  expect(warnings({ PUBLIC_BASE_URL: "" }, ["watcher", "webhooks"])).toEqual(missing);
});

it("a base URL without https gives a warning on mainnet, and none on a test network", () => {
  const shown = { PUBLIC_BASE_URL: "http://pay.example", TRON_NODE_URLS: THREE_NODES };
  expect(warnings({ ...shown, TRON_NETWORK: "mainnet" })).toEqual([
    expect.stringMatching(/^PUBLIC_BASE_URL is not https/),
  ]);
  expect(warnings({ ...shown, TRON_NETWORK: "nile" })).toEqual([]);
});

it("a base URL of this machine gives a warning on public networks", () => {
  for (const url of ["https://localhost:3000", "http://127.0.0.1", "https://[::1]/pay"]) {
    const shown = { PUBLIC_BASE_URL: url, TRON_NODE_URLS: THREE_NODES };
    expect(warnings({ ...shown, TRON_NETWORK: "nile" })).toEqual([
      expect.stringMatching(/^PUBLIC_BASE_URL is this machine itself/),
    ]);
    expect(warnings({ ...shown, TRON_NETWORK: "devnet" })).toEqual([]);
  }
});

it("one node of a public network, and an even number of nodes, give a warning in a watcher", () => {
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

it("TRON_UNPROVEN gives a warning if several nodes must agree", () => {
  expect(warnings({ TRON_NODE_URLS: THREE_NODES, TRON_UNPROVEN: "trust" })).toEqual([
    "TRON_UNPROVEN is trust, which decides nothing: 2 nodes must agree",
  ]);
  expect(warnings({ TRON_UNPROVEN: "hold" })).toEqual([]);
});

it("a node URL with a path of its API gives a warning", () => {
  expect(warnings({ TRON_NODE_URLS: "http://a.example/s3cret/wallet" })).toEqual([
    "TRON_NODE_URLS has a URL that ends in a path of the node's API, which is added to it",
  ]);
});

it("two price sources give a warning, because both must answer", () => {
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

it("an allowed target that is public anyway gives a warning", () => {
  expect(warnings({ WEBHOOK_ALLOW_TARGETS: "10.0.0.0/8,8.8.8.8,hooks.internal,2606:4700::1" })).toEqual([
    'WEBHOOK_ALLOW_TARGETS has "8.8.8.8", "2606:4700::1", which is public: nothing closes it',
  ]);
});

it("an allowed range gives a warning if it is public, or if it mixes public and private addresses", () => {
  const targets = "8.8.8.0/24,10.0.0.0/8,172.16.0.0/12,fd00::/8,0.0.0.0/0,192.168.0.0/15,2606:4700::/32,::/0";
  expect(warnings({ WEBHOOK_ALLOW_TARGETS: targets })).toEqual([
    'WEBHOOK_ALLOW_TARGETS has "8.8.8.0/24", "2606:4700::/32", which is public: nothing closes it; ' +
      'has "0.0.0.0/0", "192.168.0.0/15", "::/0", which opens every private network in it: name only the networks that webhooks need',
  ]);
});

it("a range of proxies that is wider than any network gives a warning", () => {
  const proxies = "0.0.0.0/1,10.0.0.0/8,104.16.0.0/13,8000::/1,fc00::/7,2400:cb00::/32";
  expect(warnings({ TRUSTED_PROXIES: proxies })).toEqual([
    expect.stringMatching(/^TRUSTED_PROXIES has "0\.0\.0\.0\/1", "8000::\/1", which is wider/),
  ]);
});

it("an unknown variable is among the warnings", () => {
  expect(warnings({ LOGLEVEL: "debug" })).toEqual(["LOGLEVEL is no setting: is LOG_LEVEL meant?"]);
});
