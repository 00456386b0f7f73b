import { parseAmount } from "@daric/domain/money";
import { describe, expect, it } from "vitest";
import { type AskedTransfer, walletLinks } from "./wallet-links.ts";

const TO = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

function aTransfer(amount: string, overrides: Partial<AskedTransfer> = {}): AskedTransfer {
  return {
    to: TO,
    currency: "USDT",
    amount: parseAmount(amount) ?? expect.fail(),
    contract: USDT,
    ...overrides,
  };
}
const inTrx = { currency: "TRX", contract: null } as const;

function linkOf(wallet: string, transfer: AskedTransfer): URL {
  return new URL(walletLinks(transfer).find((link) => link.wallet === wallet)?.href ?? expect.fail());
}

describe("the link into Trust Wallet", () => {
  /** The example of developer.trustwallet.com/developer/develop-for-trust/deeplinking, which allows `trust://` too. */
  const documented = new URL(
    "https://link.trustwallet.com/send?asset=c60_t0x6B175474E89094C44Da98b954EedeAC495271d0F&address=0x650b5e446edabad7eba7fa7bb2f6119b2630bfbb&amount=1&memo=test",
  );

  it("has the route and the names of the documented one", () => {
    const link = linkOf("trust", aTransfer("49.94"));
    expect(`/${link.host}`).toBe(documented.pathname);
    expect([...link.searchParams.keys(), "memo"]).toEqual([...documented.searchParams.keys()]);
    expect(link.searchParams.get("address")).toBe(TO);
    expect(link.searchParams.get("amount")).toBe("49.94");
  });

  it("names USDT and TRX as the Universal Asset IDs of its documents do", () => {
    const assetOf = (transfer: AskedTransfer) => linkOf("trust", transfer).searchParams.get("asset");
    expect(assetOf(aTransfer("1"))).toBe("c195_tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
    expect(assetOf(aTransfer("1", inTrx))).toBe("c195");
  });
});

describe("the link into TokenPocket", () => {
  it("has the fields of the protocol `transfer` of github.com/TP-Lab/tp-wallet-sdk, version 2.0", () => {
    const link = linkOf("tokenPocket", aTransfer("999999999999.99"));
    expect(link.href).toMatch(/^tpoutside:\/\/pull\.activity\?param=%7B/);
    expect(JSON.parse(link.searchParams.get("param") ?? "")).toEqual({
      protocol: "TokenPocket",
      version: "2.0",
      action: "transfer",
      actionId: TO,
      blockchain: "tron",
      to: TO,
      amount: 999999999999.99,
      contract: USDT,
      symbol: "USDT",
      precision: 6,
    });
  });

  it("is not offered for TRX, which its documents do not describe", () => {
    expect(walletLinks(aTransfer("1", inTrx)).map(({ wallet }) => wallet)).toEqual(["trust"]);
  });
});
