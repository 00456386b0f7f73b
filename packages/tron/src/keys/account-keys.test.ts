import { TronWeb } from "tronweb";
import { expect, it } from "vitest";
import { deriveOperatorAddress, deriveReceiveAddress, parseAccountXpub } from "../account-xpub.ts";
import { accountXpubFromMnemonic, createSeed } from "../seed.ts";
import { openAccountKeys } from "./account-keys.ts";

const words = createSeed();
const tronWebKey = (account: number, chain: number, index: number) =>
  TronWeb.fromMnemonic(words, `m/44'/195'/${account}'/${chain}/${index}`);

it("an account has the addresses that TronWeb derives, and those of its xpub", () => {
  for (const account of [0, 3]) {
    const keys = openAccountKeys(`  ${words.replaceAll(" ", "\n")} `, account);
    const xpub = parseAccountXpub(keys.xpub);
    expect(keys.xpub).toBe(accountXpubFromMnemonic(words, { account }));
    for (const index of [0, 1, 77, 2 ** 31 - 1]) {
      expect(keys.addressAt([0, index])).toBe(tronWebKey(account, 0, index).address);
      expect(keys.addressAt([1, index])).toBe(tronWebKey(account, 1, index).address);
      expect(deriveReceiveAddress(xpub, index)).toBe(keys.addressAt([0, index]));
      expect(deriveOperatorAddress(xpub, index)).toBe(keys.addressAt([1, index]));
    }
  }
});

it("a signature equals TronWeb's", async () => {
  const keys = openAccountKeys(words, 0);
  const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
  for (const chain of [0, 1] as const) {
    const { address, privateKey } = tronWebKey(0, chain, 5);
    const transaction = await tronWeb.transactionBuilder.sendTrx(tronWebKey(0, 0, 6).address, 7, address, {
      blockHeader: {
        ref_block_bytes: "0012",
        ref_block_hash: "00112233445566ff",
        expiration: 1_767_225_660_000,
        timestamp: 1_767_225_600_000,
      },
    });
    const signed = await tronWeb.trx.sign(transaction, privateKey.slice(2));
    const signature = signed.signature[0]?.toLowerCase() ?? "";
    const ours = keys.signAt([chain, 5], transaction.txID);
    expect(ours.slice(0, 128)).toBe(signature.slice(0, 128));
    expect(Number.parseInt(ours.slice(128), 16) + 27).toBe(Number.parseInt(signature.slice(128), 16));
  }
});

it("refuses an invalid mnemonic without repeating it, and an index outside the range", () => {
  expect(() => openAccountKeys(`${words} zebra`, 0)).toThrow(/^not a valid BIP-39 mnemonic$/);
  const keys = openAccountKeys(words, 0);
  for (const index of [-1, 0.5, Number.NaN, 2 ** 31]) {
    expect(() => keys.addressAt([0, index])).toThrow(RangeError);
    expect(() => keys.signAt([0, index], "00".repeat(32))).toThrow(RangeError);
    expect(() => deriveOperatorAddress(parseAccountXpub(keys.xpub), index)).toThrow(RangeError);
  }
});
