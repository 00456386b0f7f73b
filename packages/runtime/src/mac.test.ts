import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameMac, macOf } from "./mac.ts";

const key = Buffer.alloc(32, 1);
const part = fc.oneof(fc.string(), fc.nat(), fc.uint8Array().map(Buffer.from));
const bytesOf = (value: string | number | Buffer) =>
  Buffer.isBuffer(value) ? value : Buffer.from(String(value));

it("a MAC is HMAC-SHA-256 over the kind and each part, with their lengths", () => {
  const text = "15:daric address 16:devnet1:734:TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
  const mac = macOf(key, "address", ["devnet", 7, "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"]);
  expect(mac).toEqual(createHmac("sha256", key).update(text).digest());
});

it("other parts or another kind give another MAC, also with the same concatenation", () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (left, right) => {
      const areSame =
        left.length === right.length &&
        left.every((value, index) => bytesOf(value).equals(bytesOf(right[index] ?? "")));
      expect(isSameMac(macOf(key, "event", left), macOf(key, "event", right))).toBe(areSame);
      expect(isSameMac(macOf(key, "event", left), macOf(key, "address", left))).toBe(false);
      expect(isSameMac(macOf(key, "event", left), macOf(Buffer.alloc(32, 2), "event", left))).toBe(false);
    }),
  );
});

it("MACs of different lengths are different", () => {
  const mac = macOf(key, "event", []);
  expect(isSameMac(mac, mac.subarray(1))).toBe(false);
  expect(isSameMac(mac, Buffer.alloc(0))).toBe(false);
});

it("the MAC of an issued address equals the one in the signer's test", () => {
  const issued = [
    "devnet",
    7,
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    "0198c1f0-0000-7000-8000-00000000000a",
    "token",
  ];
  expect(macOf(key, "address", issued).toString("hex")).toBe(
    "4a2fa4fb934eaa35f2d6c80937ad71724139605fd35166112be73a6ae5135ca4",
  );
});
