import { headerHash, idPrefix, type TronBlockHeader } from "@daric/tron/block";
import { sha256Hex } from "@daric/tron/hash";
import { EMPTY_ROOT, merkleRoot } from "@daric/tron/merkle";
import { recoverSigner } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import { base58OfHex, digestOf, hexOfBase58, treeRoot } from "./bytes.ts";
import { createSimChain, type SimChain } from "./chain.ts";
import { keyOf } from "./keys.ts";
import { lookalikes, trxPayments, usdtHex, usdtPayments } from "./payments.ts";

const NOW_MS = Date.UTC(2026, 0, 5);
const SLOT_MS = 3_000;
const PAYEE = keyOf("a payee").addressHex;

const aChain = () => createSimChain(NOW_MS, 30);
/** Makes this many slots; some have no block. */
const mine = (chain: SimChain, slots = 1) => {
  const startMs = chain.head().timeMs;
  for (let slot = 1; slot <= slots; slot += 1) chain.makeSlot(startMs + slot * SLOT_MS);
};
const planned = (place: number) => ({
  to: [PAYEE],
  units: 1_000_000n,
  timeMs: NOW_MS + place,
  expirationMs: NOW_MS + 60_000,
});

function headerOf(text: string): { id: string; header: TronBlockHeader; signature: string } {
  const { blockID, block_header } = JSON.parse(text);
  const raw = block_header.raw_data;
  return {
    id: blockID,
    signature: block_header.witness_signature,
    header: {
      timestamp: raw.timestamp,
      txTrieRoot: raw.txTrieRoot,
      parentHash: raw.parentHash,
      number: raw.number ?? 0,
      witnessId: 0,
      witnessAddress: raw.witness_address,
      version: raw.version,
      accountStateRoot: "",
    },
  };
}

describe("the simulator's chain, independent of the service's own encoder,", () => {
  it("agrees with it on ids, signers and roots", () => {
    const chain = aChain();
    const ways = [
      ...Object.values(usdtPayments),
      ...Object.values(trxPayments),
      ...Object.values(lookalikes),
    ];
    for (const [place, way] of ways.entries()) chain.send(way(planned(place)));
    mine(chain);
    const { text, included, witnessHex } = chain.head();
    const { id, header, signature } = headerOf(text);
    expect(included).toHaveLength(ways.length);
    expect(id).toBe(idPrefix(header.number) + headerHash(header).slice(16));
    expect(recoverSigner(headerHash(header), signature)).toBe(witnessHex);
    expect(header.txTrieRoot).not.toBe(EMPTY_ROOT);
    for (const { signed } of included) {
      expect(sha256Hex(Buffer.from(signed.json.raw_data_hex, "hex"))).toBe(signed.id);
    }
    const leaves = ["a", "b", "c"].map((leaf) => digestOf(Buffer.from(leaf)));
    expect(merkleRoot(leaves.map((leaf) => leaf.toString("hex")))).toBe(treeRoot(leaves));
  });

  it("encodes and decodes Base58Check addresses", () => {
    expect(hexOfBase58(base58OfHex(usdtHex))).toBe(usdtHex);
    expect(hexOfBase58("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")).toBe(
      "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    );
  });

  it("has a solid block under 19 distinct witnesses, and none while ten of 27 are away", () => {
    const chain = aChain();
    expect(chain.head().number - chain.solidNumber()).toBe(18);
    chain.roster.sendAway(10);
    const { solidNumber } = chain;
    mine(chain, 54);
    expect(chain.head().number - solidNumber()).toBeGreaterThan(30);
  });

  it("never lets a fork take a solid block, nor an account overspend", () => {
    const chain = aChain();
    chain.bound([PAYEE]);
    chain.send(usdtPayments.direct(planned(1)));
    mine(chain, 5);
    const solid = chain.blocks()[chain.solidNumber()]!;
    expect(chain.fork(100, () => "dropped")).toBe(18);
    expect(chain.blocks()[solid.number]?.id).toBe(solid.id);
    expect(chain.balance(PAYEE, "USDT")).toBe(0n);
    chain.send(usdtPayments.direct(planned(2)));
    chain.send(usdtPayments.direct({ ...planned(3), fromHex: PAYEE, to: [usdtHex], units: 5_000_000n }));
    mine(chain);
    expect(chain.balance(PAYEE, "USDT")).toBe(1_000_000n);
  });
});
