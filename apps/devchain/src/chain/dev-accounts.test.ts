import { TronWeb } from "tronweb";
import { expect, it } from "vitest";
import { devAccounts, PUBLIC_MNEMONIC } from "./dev-accounts.ts";

const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";

it.each([PUBLIC_MNEMONIC, OTHER])("accounts of %j are those that TronWeb derives", (mnemonic) => {
  const accounts = devAccounts({ count: 3, balance: 1, mnemonic });
  const expected = [0, 1, 2].map((index) => {
    const { address, privateKey } = TronWeb.fromMnemonic(mnemonic, `m/44'/195'/0'/0/${index}`);
    return { address, privateKey: privateKey.slice(2) };
  });
  expect(accounts).toEqual(expected);
});

it.each([
  { count: -1, balance: 1, mnemonic: OTHER, fault: "accounts" },
  { count: 1001, balance: 1, mnemonic: OTHER, fault: "accounts" },
  { count: 1, balance: 0.5, mnemonic: OTHER, fault: "balance" },
  { count: 1, balance: 1_000_001, mnemonic: OTHER, fault: "balance" },
  { count: 1, balance: 1, mnemonic: OTHER.replace("yellow", "winner"), fault: "mnemonic" },
])("$fault out of bounds is refused: $count accounts, balance $balance", ({ fault, ...options }) => {
  expect(() => devAccounts(options)).toThrow(fault);
});
