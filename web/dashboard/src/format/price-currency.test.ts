import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { speak } from "../words/words.ts";
import { currencyName, type Priceable, priceOptions, priceUnit } from "./price-currency.ts";

beforeAll(async () => {
  await speak("en");
});
afterAll(async () => {
  await speak("en");
});

const coins = ["USDT", "TRX"];
const list: Priceable[] = [
  { code: "USD", sources: ["kraken"], resting: false },
  { code: "EUR", sources: ["kraken"], resting: false },
  { code: "JPY", sources: ["gmo"], resting: true },
  { code: "NGN", sources: [], resting: false },
];

describe("the choice of the currency of a price", () => {
  it("offers the coins, and the currencies that this deployment can price", () => {
    expect(priceOptions(coins, list)).toEqual({
      options: {
        USDT: "USDT",
        TRX: "TRX",
        USD: "USD · US Dollar, paid in USDT",
        EUR: "EUR · Euro, paid in USDT",
        JPY: "JPY · Japanese Yen, markets are closed now",
      },
      resting: ["JPY"],
    });
  });

  it("offers USD alone while the list is away", () => {
    for (const away of [undefined, []])
      expect(Object.keys(priceOptions(coins, away).options)).toEqual([...coins, "USD"]);
  });

  it("keeps the chosen currency when it leaves the list", () => {
    expect(Object.keys(priceOptions(coins, list, "NGN").options)).toContain("NGN");
  });

  it("names currencies in the language of the pages", async () => {
    await speak("es");
    expect(currencyName("EUR")).toBe("EUR · euro");
    await speak("zh-Hans");
    expect(currencyName("JPY")).toBe("JPY · 日元");
  });
});

it("a request names a coin as what is paid, and a currency as what is converted", () => {
  expect(priceUnit("TRX")).toEqual({ currency: "TRX" });
  expect(priceUnit("EUR")).toEqual({ pricingCurrency: "EUR" });
  expect(priceUnit(undefined)).toEqual({});
});
