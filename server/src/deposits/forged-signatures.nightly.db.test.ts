import { createHash } from "node:crypto";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening, nodeGroup, scanToRest, type TestReader } from "@daric/testing/watch";
import { type KeyPair, keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signerOf } from "../chain/block-signer.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findKnownKeys, findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { listNamedKeys } from "../witnesses/store.ts";
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

/** Keys and signatures are made once: each block is asked for many times. */
const evils = new Map<string, KeyPair>();
const forgeries = new WeakMap<BlockHeader, string>();

function evilOf(witnessHex: string): KeyPair {
  const evil = evils.get(witnessHex) ?? keyPairFromPhrase(`a test's evil ${witnessHex}`);
  evils.set(witnessHex, evil);
  return evil;
}

function forge(header: BlockHeader): BlockHeader {
  const signatureHex =
    forgeries.get(header) ?? signHash(header.hashHex, evilOf(header.witnessHex).privateKey);
  forgeries.set(header, signatureHex);
  return { ...header, signatureHex };
}

/** True blocks, with false signatures. */
function liar(): TestReader {
  const { reader } = chain;
  const tell = (header: BlockHeader): BlockHeader =>
    header.number === 0 || !isForged(header) ? header : forge(header);
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
      const signerHex = header === block.header ? block.signerHex : evilOf(header.witnessHex).address;
      return { ...block, header, signerHex };
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

describe("keys that one node has taught while the others were silent", () => {
  const silent = (): TestReader => ({
    ...chain.reader,
    getHeader: () => Promise.reject(new NodeError("away", { fault: "unreachable", node: "node 2" })),
  });
  const aloneKeys = async () =>
    (await findKnownWitnesses(context.db, "devnet"))?.keys.filter(({ isAlone }) => isAlone).length;

  it("make room again for those that they replaced, once another shows these", async () => {
    isForged = () => false;
    await pass([liar(), silent()], ROTATION);
    chain.changeKeys(2);
    await pass([liar(), chain.reader], 4 * ROTATION);
    const before = await findKnownKeys(context.db, "devnet");
    isForged = ({ number }) => number % ROTATION < 8;
    await pass([liar(), silent()], 4 * ROTATION);
    expect(await falseKeys()).toBe(8);
    await pass([liar(), chain.reader], 2 * ROTATION);
    expect(await findKnownKeys(context.db, "devnet")).toEqual(before);
  }, 60_000);

  it("stand where all say the same later, and no other node takes them back by its word", async () => {
    isForged = () => false;
    await pass([chain.reader, silent()], ROTATION);
    chain.changeKeys(3);
    await pass([chain.reader, silent()], 4 * ROTATION);
    expect(await aloneKeys()).toBe(3);
    const before = await findKnownKeys(context.db, "devnet");
    isForged = (header) => signerOf(header) !== header.witnessHex;
    await pass([chain.reader, liar()], ROTATION);
    expect(await findKnownKeys(context.db, "devnet")).toEqual(before);
    expect(await aloneKeys()).toBe(3);
    await pass([chain.reader, chain.reader], ROTATION);
    expect(await findKnownKeys(context.db, "devnet")).toEqual(before);
    expect(await aloneKeys()).toBe(0);
  }, 60_000);
});

describe("a key that its witness has named in a transaction", () => {
  /** Witnesses name the keys that they sign with, in the next block. */
  async function nameKeys(): Promise<ReadonlyMap<string, string>> {
    const { number: head } = await chain.reader.getHeadBlock();
    const named = new Map<string, string>();
    for (let number = head; number > head - ROTATION; number -= 1) {
      const header = (await chain.reader.getBlock(number))?.header;
      const signerHex = header && signerOf(header);
      if (header !== undefined && signerHex !== undefined && signerHex !== header.witnessHex)
        named.set(header.witnessHex, signerHex);
    }
    for (const [witnessHex, signerHex] of named) {
      const txId = createHash("sha256").update(witnessHex).digest("hex");
      const contract = { kind: "other", namedKey: { witnessHex, signerHex } } as const;
      chain.include({ txId, contractRet: "SUCCESS", expirationMs: Date.now(), contract });
    }
    return named;
  }

  it("is learned although a node forges the signature, and nothing waits", async () => {
    await pass([liar(), chain.reader], ROTATION);
    const named = new Map<string, string>();
    isForged = ({ witnessHex }) => named.has(witnessHex);
    for (let change = 0; change < 4; change += 1) {
      chain.changeKeys(3);
      chain.mine(ROTATION);
      for (const [witness, signer] of await nameKeys()) named.set(witness, signer);
      await pass([liar(), chain.reader], 3 * ROTATION);
    }
    const deposits = await aPayment();
    await pass([liar(), chain.reader], 2 * ROTATION);
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    expect(named.size).toBe(12);
    const keys = await findKnownKeys(context.db, "devnet");
    for (const [witness, signer] of named) expect(keys.get(witness)).toBe(signer);
  }, 60_000);

  it("is the only one that is learned, whatever a single node shows; and one in a block that left the chain is none", async () => {
    isForged = () => false;
    await pass([liar()], ROTATION);
    chain.changeKeys(1);
    chain.mine(ROTATION);
    const [[witness, signer] = ["", ""]] = await nameKeys();
    await pass([liar()], 3 * ROTATION);
    isForged = ({ witnessHex }) => witnessHex === witness;
    await pass([liar()], 4 * ROTATION);
    expect((await findKnownKeys(context.db, "devnet")).get(witness)).toBe(signer);
    await context.db.query(sql`update blocks set orphaned_at = now()`);
    expect(await listNamedKeys(context.db, { network: "devnet", solid: 10_000 })).toEqual([]);
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
