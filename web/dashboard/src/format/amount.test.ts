import { describe, expect, it } from "vitest";
import { amountText, groupDigits, isZero, largerOf, moneyText, surplus, thousandthsOf } from "./amount.ts";

describe("amounts", () => {
  it("keep every digit, however long", () => {
    expect(groupDigits("123456789012.000001")).toBe("123,456,789,012.000001");
    expect(moneyText("25.5", "USDT")).toBe("25.50 USDT");
    expect(moneyText("0.000001", "TRX")).toBe("0.000001 TRX");
    expect(moneyText("1000", "TRX")).toBe("1,000.00 TRX");
  });

  it("have at least the decimals of their currency", () => {
    expect(moneyText("19.9900", "EUR")).toBe("19.99 EUR");
    expect(moneyText("1500", "JPY")).toBe("1,500 JPY");
    expect(moneyText("1500.00", "KRW")).toBe("1,500 KRW");
    expect(moneyText("1500.5", "JPY")).toBe("1,500.5 JPY");
    expect(amountText("10", "EUR")).toBe("10.00");
  });

  it("are subtracted as decimals", () => {
    expect(surplus("0.3", "0.1")).toBe("0.2");
    expect(surplus("25.5", "12.750001")).toBe("12.749999");
    expect(surplus("999999999999.999999", "0.000001")).toBe("999999999999.999998");
    expect(surplus("1", "1.0")).toBeNull();
    expect(surplus("1", "2")).toBeNull();
  });

  it("are compared as decimals", () => {
    expect(isZero("0.000000")).toBe(true);
    expect(isZero("0.000001")).toBe(false);
    expect(largerOf("9.5", "10")).toBe("10");
    expect(thousandthsOf("12.5", "50")).toBe(250);
    expect(thousandthsOf("1", "0")).toBe(0);
  });
});
