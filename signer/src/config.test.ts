import { publicNetworks } from "@daric/server/chain/nodes/networks";
import { usdtOn } from "@daric/testing/usdt";
import { expect, it } from "vitest";
import { aConfig, walletOf } from "../test/builders.ts";
import { parseConfig } from "./config.ts";

const given = (changes: object) => {
  const { genesisId: _, usdtContract: __, limits: ___, ...config } = aConfig();
  return JSON.stringify({ ...config, ...changes });
};

it("the service and the signer have the same genesis block and USDT contract for each public network", () => {
  for (const [network, { genesisId, tokens }] of Object.entries(publicNetworks)) {
    expect(parseConfig(given({ network }))).toMatchObject({
      network,
      genesisId,
      usdtContract: usdtOn({ tokens }).contract,
    });
  }
});

it("default limits are 30 TRX of fees, 20 TRX a top-up, 1,000 TRX a day", () => {
  const { limits } = parseConfig(given({ limits: { topUpSun: "5" } }));
  expect(limits).toEqual({ feeLimitSun: 30_000_000n, topUpSun: 5n, gasPerDaySun: 1_000_000_000n });
});

it.each<[what: string, changes: object, reason: string]>([
  [
    "a token of a public network",
    { usdtContract: walletOf("x") },
    "genesisId and usdtContract must be left out",
  ],
  [
    "a genesis id of a public network",
    { genesisId: "00".repeat(32) },
    "genesisId and usdtContract must be left out",
  ],
  ["a network with an inherited name", { network: "constructor" }, "network must be one of"],
  [
    "a chain of its own without a token",
    { network: "private", genesisId: "00".repeat(32) },
    "usdtContract must be",
  ],
  ["a malformed fingerprint", { xpubFingerprint: "xyz" }, "xpubFingerprint must be 8 hex characters"],
  ["a malformed public key", { operatorPublicKey: "00" }, "operatorPublicKey must be an ed25519 public key"],
  ["a negative account", { account: -1 }, "account must be a whole number from 0 on"],
  ["a text as isOffline", { isOffline: "yes" }, "isOffline must be true or false"],
  ["a float as a limit", { limits: { feeLimitSun: 1.5 } }, "limits.feeLimitSun must be sun"],
  ["a limit with another name", { limits: { gasPerDay: "1" } }, "limits must be none but feeLimitSun"],
])("a configuration with %s is refused by the name of its field", (_, changes, reason) => {
  expect(() => parseConfig(given(changes))).toThrow(`config.json: ${reason}`);
});
