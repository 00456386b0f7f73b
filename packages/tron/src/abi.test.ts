import { expect, it } from "vitest";
import { addressAt, addressWord, encodeString, selectorOf, TRANSFER_TOPIC, uintAt, uintWord } from "./abi.ts";

it("selectors and topics are those of the ERC-20 standard", () => {
  expect(selectorOf("transfer(address,uint256)")).toBe("a9059cbb");
  expect(selectorOf("balanceOf(address)")).toBe("70a08231");
  expect(TRANSFER_TOPIC).toBe("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
});

it("decoded arguments equal the encoded ones", () => {
  const address = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
  const call = `a9059cbb${addressWord(address)}${uintWord(2n ** 255n)}`;
  expect(addressAt(call, 0)).toBe(address);
  expect(uintAt(call, 1)).toBe(2n ** 255n);
});

it("missing bytes of arguments are zeros", () => expect(uintAt("a9059cbb", 1)).toBe(0n));

it("a returned string is its offset, its length and its bytes", () => {
  expect(encodeString("ab")).toBe(`${uintWord(32n)}${uintWord(2n)}6162${"0".repeat(60)}`);
});
