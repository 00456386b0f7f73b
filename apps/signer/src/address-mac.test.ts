import { addressMac } from "@daric/addresses/address-mac";
import { idOf } from "@daric/domain/ids";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isRightMac } from "./address-mac.ts";

const key = Buffer.alloc(32, 1);
/** The service's own test has the same vector. */
const vector = {
  issued: [
    "devnet",
    7,
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    "0198c1f0-0000-7000-8000-00000000000a",
    "token",
  ],
  mac: "4a2fa4fb934eaa35f2d6c80937ad71724139605fd35166112be73a6ae5135ca4",
} as const;

it("the published code is right, and no other one", () => {
  const mac = Buffer.from(vector.mac, "hex");
  expect(isRightMac(key, vector.issued, mac)).toBe(true);
  for (const forged of [
    mac.subarray(1),
    Buffer.alloc(0),
    Buffer.alloc(32),
    Buffer.concat([mac, Buffer.alloc(1)]),
  ]) {
    expect(isRightMac(key, vector.issued, forged)).toBe(false);
  }
  expect(isRightMac(Buffer.alloc(32, 2), vector.issued, mac)).toBe(false);
  for (const place of vector.issued.keys()) {
    const changed = vector.issued.map((part, index) => (index === place ? `${part}0` : part));
    expect(isRightMac(key, changed, mac)).toBe(false);
  }
});

it("every code of the service for an issued address is right", () => {
  const aText = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.nat(), aText, aText, fc.uuid(), (index, address, checkoutToken, id) => {
      const config = { integrity: { key }, chain: { network: "nile" } } as const;
      const made = addressMac(
        { config },
        { merchantId: idOf("merchant", id), checkoutToken, address, index },
      );
      expect(isRightMac(key, ["nile", index, address, id, checkoutToken], made)).toBe(true);
    }),
  );
});
