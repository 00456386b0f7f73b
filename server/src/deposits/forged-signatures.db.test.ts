import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening, nodeGroup, scanToRest, type TestReader } from "@daric/testing/watch";
import { keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signerOf } from "../chain/block-signer.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findKnownKeys } from "../witnesses/find-known-witnesses.ts";
import { listDeposits } from "./list-store.ts";

const UNITS = 25_000_000n;
const ROTATION = 27;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
/** Of whose blocks the liar forges the signature. */
let isForged: (header: BlockHeader) => boolean;

beforeEach(async () => {
  context = await createTestContext();
  chain = createForkChain(Date.now() - 3_600_000);
  chain.mine(60);
  isForged = () => true;
});
afterEach(() => context.close());

const evilOf = (witnessHex: string) => keyPairFromPhrase(`a test's evil ${witnessHex}`);

/** True blocks, with false signatures. */
function liar(): TestReader {
  const { reader } = chain;
  const tell = (header: BlockHeader): BlockHeader => {
    if (header.number === 0 || !isForged(header)) return header;
    return { ...header, signatureHex: signHash(header.hashHex, evilOf(header.witnessHex).privateKey) };
  };
  return {
    ...reader,
    getHeadBlock: async () => tell(await reader.getHeadBlock()),
    getHeader: async (number) => {
      const header = (await reader.getBlock(number))?.header;
      return header && tell(header);
    },
    fetchCompleteBlock: async (number) => {
      const block = await reader.fetchCompleteBlock(number);
      const header = tell(block.header);
      return { ...block, header, signerHex: signerOf(header) };
    },
  };
}

/** Lets blocks come and be read, by a process that is ended and started again and again. */
async function pass(nodes: readonly TestReader[], blocks: number, c = context): Promise<void> {
  for (let passed = 0; passed < blocks; passed += ROTATION) {
    chain.mine(ROTATION);
    await scanToRest(c, await aScanner(c, nodeGroup(...nodes)));
  }
}

async function falseKeys(): Promise<number> {
  const keys = await findKnownKeys(context.db, "devnet");
  return [...keys].filter(([witness, signer]) => signer === evilOf(witness).address).length;
}

async function aPayment() {
  const { id: merchantId } = await aMerchant(context.db);
  const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
  chain.pay(address, UNITS);
  return async () => (await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 })).rows;
}

describe("with one honest node a node that forges signatures", () => {
  it.each([
    ["leads", () => [liar(), chain.reader]],
    ["is asked second", () => [chain.reader, liar()]],
  ])("freezes nothing, though it forges every one and %s", async (_, nodes) => {
    await pass(nodes(), ROTATION);
    const deposits = await aPayment();
    await pass(nodes(), 2 * ROTATION);
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    expect(await falseKeys()).toBe(0);
  });

  it("teaches no key, though it forges 8 of 27 at a time", async () => {
    for (let phase = 1; phase <= 3; phase += 1) {
      isForged = ({ number }) => number % ROTATION < 8 * phase;
      await pass([liar(), chain.reader], 4 * ROTATION);
    }
    expect(await falseKeys()).toBe(0);
  });

  it("keeps no true key from being learned, where it forges what is known too", async () => {
    await pass([liar(), chain.reader], ROTATION);
    for (let change = 0; change < 4; change += 1) {
      chain.changeKeys(3);
      await pass([liar(), chain.reader], 4 * ROTATION);
    }
    const deposits = await aPayment();
    await pass([liar(), chain.reader], 2 * ROTATION);
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    expect(await falseKeys()).toBe(0);
  }, 60_000);

  it("teaches no key where it forges those alone that have changed, and an alarm says that nodes differ", async () => {
    await pass([chain.reader, liar()], ROTATION);
    const known = await findKnownKeys(context.db, "devnet");
    chain.changeKeys(3);
    isForged = (header) => signerOf(header) !== header.witnessHex;
    const heard = listening(context);
    const scanner = await aScanner(context, nodeGroup(liar(), chain.reader));
    chain.mine(4 * ROTATION);
    await scanToRest(heard.context, scanner);
    expect(await findKnownKeys(context.db, "devnet")).toEqual(known);
    expect(await alarms(context)).toMatchObject({ disputed_key: 1 });
  });
});

describe("on a single node", () => {
  it("that forges signatures no more than 8 of 27 keys are learned, and an alarm says that there are more", async () => {
    isForged = () => false;
    await pass([liar()], ROTATION);
    for (let phase = 1; phase <= 3; phase += 1) {
      isForged = ({ number }) => number % ROTATION < 8 * phase;
      await pass([liar()], 4 * ROTATION);
    }
    expect(await falseKeys()).toBe(8);
    expect((await alarms(context)).too_many_keys).toBeGreaterThan(0);
  });
});
