import { createLogger } from "@daric/runtime/logger";
import { TEST_XPUB } from "@daric/testing/context";
import { addressFromPublicKey } from "@daric/tron/address";
import { HDKey } from "@scure/bip32";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addressBytes } from "./address-bytes.ts";
import { createDeriver, type Deriver } from "./deriver.ts";

const log = createLogger({ level: "silent", role: "test" });
let deriver: Deriver;

beforeEach(() => {
  deriver = createDeriver({ log });
});
afterEach(() => deriver.stop());

/** The derivation step by step as in BIP-32, by another library than the deriver's. */
function byBip32(index: number): string {
  const { publicKey } = HDKey.fromExtendedKey(TEST_XPUB).deriveChild(0).deriveChild(index);
  return addressFromPublicKey(publicKey ?? expect.fail("no key"));
}

function derive(first: number, count: number) {
  return deriver.derive({ xpub: TEST_XPUB, first, count });
}

describe("the derivation thread", () => {
  it.each([
    { first: 0, count: 3 },
    { first: 2 ** 31 - 3, count: 3 },
  ])(
    "derives what BIP-32 derives from the account xpub, with the 20 bytes, from $first on",
    async (range) => {
      const derived = await derive(range.first, range.count);
      expect(derived.map(({ index }) => index)).toEqual([range.first, range.first + 1, range.first + 2]);
      for (const { index, address, bytes } of derived) {
        expect(address).toBe(byBip32(index));
        expect(Buffer.from(bytes)).toEqual(addressBytes(address));
      }
    },
  );

  it("leaves the event loop free", async () => {
    await derive(0, 1);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await derive(0, 3_000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });
});

describe("a call that fails", () => {
  it("is rejected, and others beside it succeed", async () => {
    const impossible = derive(2 ** 31, 1).catch((error: Error) => error.message);
    const possible = derive(7, 1);
    expect(await impossible).toContain("index");
    expect((await possible)[0]?.address).toBe(byBip32(7));
  });

  it("after the deriver is stopped is rejected, pending or new", async () => {
    const open = derive(0, 10_000).catch((error: Error) => error.message);
    await deriver.stop();
    expect(await open).toContain("ended");
    await expect(derive(0, 1)).rejects.toThrow("stopped");
  });
});
