import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { decodeFields, hexField, intField, intOf, textField, varint } from "./protobuf.ts";

describe("protobuf", () => {
  it("encodes varints as the protobuf documentation does", () => {
    expect(bytesToHex(varint(1n))).toBe("01");
    expect(bytesToHex(varint(150n))).toBe("9601");
    expect(bytesToHex(varint(-1n))).toBe("ffffffffffffffffff01");
  });

  it("leaves out defaults", () => {
    expect(intField(3, 0n).length + hexField(4, "").length + textField(5, "").length).toBe(0);
  });

  it("decodes negative int64", () => {
    expect(intOf(decodeFields(intField(7, -5n)), 7)).toBe(-5n);
  });

  it.each(["08", "0a05", "0a02ff", "0000", "0d01020304", "08ffffffffffffffffffff01"])(
    "refuses malformed bytes %s",
    (hex) => {
      expect(() => decodeFields(hexToBytes(hex))).toThrow(RangeError);
    },
  );
});
