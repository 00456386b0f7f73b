import { describe, expect, it } from "vitest";
import { pageAddress } from "./page-address.ts";

const SHOP = "https://shop.example";
const addressOf = (text: string, base = "https://pay.example/") => pageAddress(text, new URL(base), SHOP);

describe("the address of a payment page", () => {
  it.each([
    ["https://pay.example/c/a-B_9", "https://pay.example/c/a-B_9?embed=https%3A%2F%2Fshop.example"],
    ["https://pay.example/l/a?ref=x", "https://pay.example/l/a?ref=x&embed=https%3A%2F%2Fshop.example"],
    ["https://pay.example:443/c/a", "https://pay.example/c/a?embed=https%3A%2F%2Fshop.example"],
    ["https://pay.example/c/a?embed=evil", "https://pay.example/c/a?embed=https%3A%2F%2Fshop.example"],
  ])("%s names the origin of the shop's page, and nothing else changes", (text, address) => {
    expect(addressOf(text)).toBe(address);
  });

  it("stands below the folder of the script", () => {
    const base = "https://host.example/pay/";
    expect(addressOf("https://host.example/pay/c/a", base)).toContain("/pay/c/a?");
    expect(() => addressOf("https://host.example/c/a", base)).toThrow("have the path");
  });

  it("may be http on this machine alone", () => {
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
      expect(addressOf(`http://${host}/c/a`, `http://${host}/`)).toContain(`http://${host}/c/a?`);
    expect(() => addressOf("http://pay.example/c/a", "http://pay.example/")).toThrow("be an https URL");
  });

  it.each([
    ["javascript:alert(1)", "be an https URL"],
    ["data:text/html,a", "be an https URL"],
    ["blob:https://pay.example/c/a", "be an https URL"],
    ["/c/a", "be an absolute URL"],
    ["", "be an absolute URL"],
    ["https://evil.example/c/a", "be of https://pay.example"],
    ["https://pay.example.evil.example/c/a", "be of https://pay.example"],
    ["https://pay.example:8443/c/a", "be of https://pay.example"],
    ["https://ada@pay.example/c/a", "have no user name or password"],
    ["https://:secret@pay.example/c/a", "have no user name or password"],
    ["https://pay.example/", "have the path"],
    ["https://pay.example/dashboard", "have the path"],
    ["https://pay.example/c/", "have the path"],
    ["https://pay.example/c/a/b", "have the path"],
    ["https://pay.example/c/../r/a", "have the path"],
    ["https://pay.example/c/%2e%2e/r/a", "have the path"],
    ["https://pay.example/x/c/a", "have the path"],
  ])("%s is refused with the rule that it breaks", (text, rule) => {
    expect(() => addressOf(text)).toThrow(
      expect.objectContaining({ name: "TypeError", message: expect.stringContaining(rule) }),
    );
  });
});
