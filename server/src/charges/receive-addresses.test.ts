import { TEST_XPUB, testEnvironment } from "@daric/testing/context";
import { addressFromPublicKey } from "@daric/tron/address";
import { HDKey } from "@scure/bip32";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { roles } from "../runtime/setting.ts";
import { createReceiveAddresses } from "./receive-addresses.ts";

const POOL_SIZE = 10;

function aProcess() {
  return createReceiveAddresses(readConfig(testEnvironment({ ADDRESS_POOL_SIZE: String(POOL_SIZE) }), roles));
}

/** Step by step as BIP-32 says, by another library than the service uses for its batches. */
function byBip32(index: number): string {
  const { publicKey } = HDKey.fromExtendedKey(TEST_XPUB).deriveChild(0).deriveChild(index);
  return addressFromPublicKey(publicKey ?? expect.fail("no key"));
}

const anIndex = fc.oneof(fc.nat({ max: 1_000 }), fc.nat({ max: 2 ** 31 - 30 }));

describe("a receive address", () => {
  it("is the one BIP-32 derives from the account xpub, at every index", () => {
    const addresses = aProcess();
    fc.assert(
      fc.property(anIndex, (index) => {
        expect(addresses.at(index)).toBe(byBip32(index));
      }),
      { numRuns: 25 },
    );
  });

  it("is the same whether it was derived ahead, asked for again or forgotten", () => {
    const addresses = aProcess();
    fc.assert(
      fc.property(anIndex, fc.integer({ min: 1, max: 2 * POOL_SIZE + 5 }), (from, count) => {
        const last = from + count - 1;
        const derived = addresses.deriveAhead(from, count);
        expect(derived.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, n) => from + n));
        expect(derived.at(-1)?.address).toBe(byBip32(last));
        expect([addresses.at(last), addresses.at(last)]).toEqual([byBip32(last), byBip32(last)]);
        expect(addresses.at(from)).toBe(byBip32(from));
      }),
      { numRuns: 10 },
    );
  });
});
