import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { blockAnswer } from "@daric/testing/block-answer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockIdOf } from "./block-id.ts";
import { parseBlockHeader } from "./parse-block.ts";
import { parseJson } from "./parse-json.ts";
import { AnswerError } from "./read-json.ts";

/** Block 185 of a private chain of java-tron 4.8.0. */
const recorded = {
  blockID: "00000000000000b97d344bb684cb30ceeafbb6358c2d744ff8b3ba90c359524e",
  block_header: {
    raw_data: {
      number: 185,
      txTrieRoot: "4e09948001687e61549aea7a12cceed90984ebbda6e68cbbe49e77a94bbaadb1",
      witness_address: "414b09fba4dadab97acb72a652b479a4431d23fdf1",
      parentHash: "00000000000000b877c1f7fdad0ec6a4f22f7b5384b2194a08034cbd8b5fd67b",
      version: 32,
      timestamp: 1795264242000,
    },
  },
};

describe("the id of a block", () => {
  it("is the id that java-tron prints", () => {
    expect(blockIdOf(recorded.block_header.raw_data)).toBe(recorded.blockID);
    expect(parseBlockHeader(recorded)).toMatchObject({
      number: 185,
      id: recorded.blockID,
      parentId: recorded.block_header.raw_data.parentHash,
      timeMs: recorded.block_header.raw_data.timestamp,
      witnessHex: recorded.block_header.raw_data.witness_address,
    });
  });

  it("changes with any part of the header", () => {
    const { raw_data } = recorded.block_header;
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    const changes = fc.record(
      {
        timestamp: fc.integer({ min: 1, max: 253_402_300_799_999 }),
        txTrieRoot: hash,
        parentHash: hash.map((digits) => raw_data.parentHash.slice(0, 16) + digits.slice(16)),
        witness_address: fc.stringMatching(/^41[0-9a-f]{40}$/),
        witness_id: fc.integer({ min: 1 }),
        version: fc.integer({ min: 0, max: 100 }),
        accountStateRoot: hash,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, (change) => {
        const header = { ...raw_data, ...change };
        fc.pre(Object.entries(change).some(([key, value]) => raw_data[key as "version"] !== value));
        const reported = { ...recorded, block_header: { raw_data: header } };
        expect(() => parseBlockHeader(reported)).toThrow("blockID is not the hash of its header");
        expect(() => parseBlockHeader({ ...reported, blockID: blockIdOf(header) })).not.toThrow();
      }),
    );
  });

  it("ignores fields that no node prints", () => {
    const { raw_data } = recorded.block_header;
    for (const change of [
      { version: -1 },
      { version: 1.5 },
      { witness_address: "TGoy" },
      { txTrieRoot: null },
    ]) {
      expect(() => blockIdOf({ ...raw_data, ...change })).toThrow(AnswerError);
    }
  });

  it("of block 0 is not computed: it is compared with the network's", () => {
    const id = `${"0".repeat(16)}${"c".repeat(48)}`;
    const genesis = { blockID: id, block_header: { raw_data: { parentHash: "9".repeat(64) } } };
    expect(parseBlockHeader(genesis)).toEqual({
      number: 0,
      id,
      parentId: "9".repeat(64),
      timeMs: 0,
      witnessHex: "",
    });
  });

  it("proves a time, which every height above 0 needs", () => {
    const at = (timeMs: number) => () => parseBlockHeader(blockAnswer({ number: 7, timeMs }));
    expect(at(1)).not.toThrow();
    expect(at(253_402_300_799_999)).not.toThrow();
    for (const timeMs of [0, 253_402_300_800_000, 8.64e15]) expect(at(timeMs)).toThrow(/timestamp/);
  });

  it("proves a height within the possible range", () => {
    const at = (number: number) => () => parseBlockHeader(blockAnswer({ number, timeMs: 1 }));
    expect(at(10_000_000_000)).not.toThrow();
    expect(at(10_000_000_001)).toThrow(/number/);
  });
});

const folders = ["tron", "java-tron", "java-tron/blocks"].map((name) =>
  fileURLToPath(new URL(`../../../../shared/fixtures/${name}/`, import.meta.url)),
);
const isRecorded = folders.every((folder) => existsSync(folder));

describe("recorded headers of java-tron", () => {
  it("have the ids that java-tron printed", () => {
    const file = createRequire(import.meta.url).resolve("@daric/tron/vectors/blocks.json");
    const blocks = headersIn(parseJson(readFileSync(file, "utf8")));
    expect(blocks).toHaveLength(3);
    for (const block of blocks) expect(blockIdOf(block.block_header.raw_data)).toBe(block.blockID);
  });
});

describe.skipIf(!isRecorded)("recorded headers (skipped where ../shared/fixtures is absent)", () => {
  it("have the printed ids on mainnet, nile, shasta and java-tron's private chain", () => {
    const answers = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .flatMap((name) => headersIn(parseJson(readFileSync(folder + name, "utf8")))),
    );
    const above0 = answers.filter(({ block_header }) => block_header.raw_data.number !== undefined);
    expect(above0.length).toBeGreaterThan(100);
    for (const answer of above0) expect(blockIdOf(answer.block_header.raw_data)).toBe(answer.blockID);
  });
});

type Answer = { blockID: string; block_header: { raw_data: { number?: number; witness_address: string } } };

/** Every answer with a header, except those of the visible form, whose addresses are base58. */
function headersIn(value: unknown): Answer[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(headersIn);
  const answer = value as Partial<Answer>;
  const isHeader = answer.blockID !== undefined && answer.block_header !== undefined;
  const isHex = /^[0-9a-f]*$/.test(answer.block_header?.raw_data?.witness_address ?? "");
  return isHeader && isHex ? [value as Answer, ...inside] : inside;
}
