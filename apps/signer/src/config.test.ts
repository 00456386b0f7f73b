import { publicNetworks } from "@daric/chain/nodes/networks";
import { assets } from "@daric/domain/asset";
import { expect, it } from "vitest";
import { aConfig, aToken, walletOf } from "../test/builders.ts";
import { parseConfig } from "./config.ts";

const given = (changes: object) => {
  const { genesisId: _, tokens: __, limits: ___, ...config } = aConfig();
  return JSON.stringify({ ...config, ...changes });
};

it("the service and the signer have the same genesis block and tokens for each public network", () => {
  for (const [network, { genesisId, tokens }] of Object.entries(publicNetworks)) {
    const config = parseConfig(given({ network }));
    expect(config).toMatchObject({ network, genesisId });
    expect(config.tokens).toEqual(
      Object.fromEntries(
        tokens.map(({ currency, contract }) => [currency, { contract, decimals: assets[currency].decimals }]),
      ),
    );
  }
});

it("a chain of its own has USDT at usdtContract, and the other tokens of the file", () => {
  const own = { network: "private", genesisId: "00".repeat(32) };
  const [usdt, other] = [aToken(walletOf("usdt")), aToken(walletOf("other"))];
  expect(parseConfig(given({ ...own, usdtContract: usdt.contract })).tokens).toEqual({ USDT: usdt });
  const both = given({ ...own, usdtContract: usdt.contract, tokens: { USDX: other } });
  expect(parseConfig(both).tokens).toEqual({ USDT: usdt, USDX: other });
});

it("default limits are 30 TRX of fees, 20 TRX a top-up, 1,000 TRX a day", () => {
  const { limits } = parseConfig(given({ limits: { topUpSun: "5" } }));
  expect(limits).toEqual({ feeLimitSun: 30_000_000n, topUpSun: 5n, gasPerDaySun: 1_000_000_000n });
});

it.each<[what: string, changes: object, reason: string]>([
  [
    "a token of a public network",
    { usdtContract: walletOf("x") },
    "genesisId, usdtContract and tokens must be left out",
  ],
  [
    "a genesis id of a public network",
    { genesisId: "00".repeat(32) },
    "genesisId, usdtContract and tokens must be left out",
  ],
  ["a network with an inherited name", { network: "constructor" }, "network must be one of"],
  [
    "a further token of a public network",
    { tokens: { USDX: aToken(walletOf("x")) } },
    "genesisId, usdtContract and tokens must be left out",
  ],
  ...[
    { USDX: { contract: walletOf("x"), decimals: 18 } },
    { USDX: { contract: walletOf("x") } },
    { USDX: { contract: "T1", decimals: 6 } },
    { usdx: aToken(walletOf("x")) },
    { TRX: aToken(walletOf("x")) },
    { USDX: walletOf("x") },
    "USDX",
  ].map((tokens): [string, object, string] => [
    `tokens like ${JSON.stringify(tokens)}`,
    { network: "private", genesisId: "00".repeat(32), usdtContract: walletOf("usdt"), tokens },
    "tokens must be contracts (T…) of 6 decimals by code",
  ]),
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
