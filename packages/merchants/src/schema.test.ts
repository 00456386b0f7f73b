import type { NetworkName } from "@daric/chain/nodes/networks";
import { describe, expect, it } from "vitest";
import { parseMerchantInput } from "./schema.ts";

const originsOf = (embedOrigin: string, network: NetworkName = "mainnet") =>
  parseMerchantInput(network, { embedOrigin }).embedOrigins;

describe("the origins that may frame the payment page", () => {
  it("are exact https origins, each once, and an empty text is none", () => {
    expect(originsOf("https://shop.example")).toEqual(["https://shop.example"]);
    expect(originsOf("https://a.example, https://b.example:8443,https://a.example")).toEqual([
      "https://a.example",
      "https://b.example:8443",
    ]);
    expect(originsOf(" ")).toEqual([]);
  });

  it.each([
    "https://shop.example/",
    "https://shop.example/cart",
    "https://shop.example?a",
    "https://*.shop.example",
    "*",
    "http://shop.example",
    "shop.example",
    "https://Shop.example",
    "https://shop.example:443",
    "https://café.example",
    "https://ada@shop.example",
    "https://shop.example; script-src *",
    "https://shop.example https://other.example",
    "https://shop.example,",
    "https:",
    "https://",
    "https://a..b:99999",
    "data:text/html",
    "null",
    "'self'",
    "http://localhost:8080",
    "http://127.0.0.1",
  ])("%s is none of them on mainnet", (text) => {
    expect(() => originsOf(text)).toThrow(
      expect.objectContaining({
        details: [
          expect.objectContaining({ path: "embedOrigin", rule: { name: "origins", limits: ["10"] } }),
        ],
      }),
    );
  });

  it("may be of this machine where coins have no value", () => {
    const loopback = ["http://localhost", "http://localhost:8080", "http://127.0.0.1:5000"];
    for (const network of ["nile", "devnet"] as const)
      expect(originsOf(loopback.join(), network)).toEqual(loopback);
    for (const text of ["http://localhost.example", "http://127.0.0.1:5000/", "http://10.0.0.1"])
      expect(() => originsOf(text, "nile")).toThrow();
  });

  it("are ten at most", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => `https://${n}.shop.example`).join();
    expect(originsOf(many(10))).toHaveLength(10);
    expect(() => originsOf(many(11))).toThrow();
  });
});
