import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeyWord, learnKeys } from "./learn-keys.ts";
import {
  claimedHeight,
  type SignedBlock,
  solidHeight,
  solidThreshold,
  type WitnessKey,
} from "./solid-height.ts";

const ACTIVE = 27;
/** Blocks of a tenth of an hour: what holds for three changes in so few holds for three in an hour. */
const SPELL = 120;

/** Who makes and signs blocks in turn. Names stand for addresses; a witness that has changed its key signs with another one. */
type Turns = { witness: string; signer: string }[];

const turnsOf = (count: number): Turns =>
  Array.from({ length: count }, (_, index) => ({ witness: `w${index}`, signer: `w${index}` }));

const pinned = (turns: Turns): WitnessKey[] =>
  turns.map(({ witness, signer }) => ({ witnessHex: witness, signerHex: signer, sinceBlock: 0 }));

const made = (number: number, by: { witness: string; signer: string | undefined }): SignedBlock => ({
  number,
  witnessHex: by.witness,
  signerHex: by.signer,
});

const turnAt = (turns: Turns, number: number) => turns[number % turns.length] ?? expect.fail("nobody");

const chainOf = (turns: Turns, length: number): SignedBlock[] =>
  Array.from({ length }, (_, index) => made(index + 1, turnAt(turns, index + 1)));

/** Follows a chain block by block: what is solid, and who may sign by then, all nodes saying the same of each key or one alone. */
function follower(turns: Turns, word: KeyWord = "all") {
  const active = turns.length;
  let keys: readonly WitnessKey[] = pinned(turns);
  let blocks: SignedBlock[] = [];
  let solid = 0;
  return {
    read(block: SignedBlock): number {
      blocks = [...blocks.slice(-6 * active), block];
      const lastOfKeys = blocks.filter(({ witnessHex, signerHex }) =>
        keys.some((key) => key.witnessHex === witnessHex && key.signerHex === signerHex),
      );
      solid = Math.max(solid, solidHeight(blocks, { keys, active }) ?? 0);
      const recent = blocks.filter(({ number }) => number > solid - 3 * active && number <= solid);
      keys = learnKeys([...lastOfKeys, ...recent], { keys, active, solid, wordOf: () => word });
      return solid;
    },
    leave: (above: number) => {
      blocks = blocks.filter(({ number }) => number <= above);
    },
    keys: () => keys,
  };
}

describe("as many witnesses must have built on a block", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
    [5, 4],
    [27, 19],
  ])("of %i active ones as %i", (active, threshold) => {
    expect(solidThreshold(active)).toBe(threshold);
  });
});

describe("the solid height", () => {
  it("of an honest chain is where the chain itself puts it, for any number of witnesses", () => {
    for (const active of [1, 2, 3, 4, 5, ACTIVE]) {
      const turns = turnsOf(active);
      const head = 3 * active;
      expect(solidHeight(chainOf(turns, head), { keys: pinned(turns), active })).toBe(
        head - solidThreshold(active) + 1,
      );
    }
  });

  it("is nowhere before enough witnesses are seen, nor where nobody is known", () => {
    const turns = turnsOf(ACTIVE);
    expect(solidHeight(chainOf(turns, 18), { keys: pinned(turns), active: ACTIVE })).toBeUndefined();
    expect(solidHeight(chainOf(turns, 100), { keys: [], active: ACTIVE })).toBeUndefined();
  });

  it("counts a witness once, however many blocks it makes", () => {
    const turns = turnsOf(ACTIVE);
    const few = Array.from({ length: 1_000 }, (_, index) =>
      made(index + 1, turnAt(turns.slice(0, 18), index)),
    );
    expect(solidHeight(few, { keys: pinned(turns), active: ACTIVE })).toBeUndefined();
  });

  it("counts no block that another key signed, or none; what it claims is told apart", () => {
    const turns = turnsOf(ACTIVE);
    for (const signer of ["w0", undefined]) {
      const forged = chainOf(turns, 100).map((block) => ({ ...block, signerHex: signer }));
      expect(solidHeight(forged, { keys: pinned(turns), active: ACTIVE })).toBeUndefined();
      expect(claimedHeight(forged, ACTIVE)).toBe(82);
    }
  });

  it("counts nobody who is not known, signed or not", () => {
    const keys = pinned(turnsOf(ACTIVE));
    const strangers = Array.from({ length: 100 }, (_, index) => `stranger ${index}`);
    for (const signerOf of [(name: string) => name, () => undefined]) {
      const blocks = strangers.map((name, index) =>
        made(index + 1, { witness: name, signer: signerOf(name) }),
      );
      expect(solidHeight(blocks, { keys, active: ACTIVE })).toBeUndefined();
    }
  });

  it("needs of all blocks the last one of each key only", () => {
    const turns = turnsOf(ACTIVE);
    const chain = chainOf(turns, 5_000);
    const witnesses = { keys: pinned(turns), active: ACTIVE };
    expect(solidHeight(chain.slice(-ACTIVE), witnesses)).toBe(solidHeight(chain, witnesses));
  });
});

describe("an honest chain that replaces up to 3 of 27 keys or witnesses an hour", () => {
  it("is solid no more than two rotations below its head, time after time", () => {
    const change = fc.record({
      at: fc.nat(SPELL - 1),
      place: fc.nat(ACTIVE - 1),
      what: fc.constantFrom("key", "witness", "back"),
    });
    const spells = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(spells, (changes) => {
        const turns = turnsOf(ACTIVE);
        const following = follower(turns);
        let serial = 0;
        for (let number = 1; number <= changes.length * SPELL; number += 1) {
          for (const { place, what } of changes[Math.floor((number - 1) / SPELL)]?.filter(
            ({ at }) => at === number % SPELL,
          ) ?? []) {
            serial += 1;
            const { witness } = turns[place] ?? expect.fail("nobody");
            if (what === "key") turns[place] = { witness, signer: `key ${serial}` };
            if (what === "back") turns[place] = { witness, signer: witness };
            if (what === "witness") turns[place] = { witness: `new ${serial}`, signer: `new ${serial}` };
          }
          const solid = following.read(made(number, turnAt(turns, number)));
          if (number > 2 * ACTIVE) expect(number - solid).toBeLessThanOrEqual(2 * ACTIVE);
        }
        expect(following.keys()).toHaveLength(ACTIVE);
      }),
      { numRuns: 6 },
    );
  }, 60_000);

  it("learns the key of every witness that changed", { timeout: 60_000 }, () => {
    const turns = turnsOf(ACTIVE);
    const following = follower(turns);
    for (let number = 1; number <= 20 * 30; number += 1) {
      const place = (number / 30) % 1 === 0 ? number / 30 : undefined;
      if (place !== undefined) turns[place] = { witness: `w${place}`, signer: `key of ${place}` };
      following.read(made(number, turnAt(turns, number)));
    }
    for (let rotation = 0; rotation < 3 * ACTIVE; rotation += 1)
      following.read(made(601 + rotation, turnAt(turns, 601 + rotation)));
    const signers = new Map(following.keys().map((key) => [key.witnessHex, key.signerHex]));
    for (const { witness, signer } of turns) expect(signers.get(witness)).toBe(signer);
  });
});

describe("on one node alone", () => {
  const evil = (keys: readonly WitnessKey[]) =>
    keys.filter(({ signerHex }) => signerHex.startsWith("evil")).length;

  it("false signatures on true blocks teach no more than 8 of 27 keys in 100 minutes, however they are dealt out", () => {
    const dealt = fc.record({
      perPhase: fc.integer({ min: 1, max: 8 }),
      rotations: fc.integer({ min: 3, max: 6 }),
    });
    fc.assert(
      fc.property(dealt, ({ perPhase, rotations }) => {
        const turns = turnsOf(ACTIVE);
        const following = follower(turns, "alone");
        let solid = 0;
        for (let number = 1; number <= 1_900; number += 1) {
          const false_ = (1 + Math.floor(number / (rotations * ACTIVE))) * perPhase;
          const { witness } = turnAt(turns, number);
          const place = number % ACTIVE;
          const signer = place < false_ ? `evil ${place}` : witness;
          solid = following.read(made(number, { witness, signer }));
        }
        expect(evil(following.keys())).toBeLessThanOrEqual(8);
        expect(solid).toBeGreaterThan(0);
      }),
      { numRuns: 5 },
    );
  }, 60_000);

  it("3 of 27 keys an hour are learned for days, and nothing ever waits for long", {
    timeout: 60_000,
  }, () => {
    const turns = turnsOf(ACTIVE);
    const following = follower(turns, "alone");
    for (let number = 1; number <= 8 * 1_200; number += 1) {
      if (number % 1_200 === 0) {
        for (const place of [0, 1, 2].map((at) => (at + 3 * (number / 1_200)) % ACTIVE)) {
          const { witness } = turnAt(turns, place);
          turns[place] = { witness, signer: `key ${number}` };
        }
      }
      const solid = following.read(made(number, turnAt(turns, number)));
      if (number > ACTIVE) expect(number - solid).toBeLessThanOrEqual(2 * ACTIVE);
    }
  });

  it("a key that nodes dispute is never learned, nor another than the witness has named itself", () => {
    const turns = turnsOf(4);
    const learning = { keys: pinned(turns), active: 4, solid: 60 };
    const blocks = [50, 54].map((number) => made(number, { witness: "w1", signer: "evil" }));
    const known = (keys: readonly WitnessKey[]) =>
      keys.find(({ witnessHex }) => witnessHex === "w1")?.signerHex;
    expect(known(learnKeys(blocks, { ...learning, wordOf: () => "disputed" }))).toBe("w1");
    const named = [{ witnessHex: "w1", signerHex: "named", sinceBlock: 40 }];
    expect(known(learnKeys(blocks, { ...learning, named, wordOf: () => "all" }))).toBe("named");
    const later = learning.keys.map((key) => ({ ...key, sinceBlock: 45 }));
    expect(known(learnKeys(blocks, { ...learning, keys: later, named }))).toBe("w1");
  });
});

describe("any 18 keys in hostile hands", () => {
  it("make nothing solid that they invent, whatever they call themselves and however long they go on", () => {
    const hostile = fc.uniqueArray(fc.nat(ACTIVE - 1), { minLength: 0, maxLength: 18 });
    // Each block of the invented branch: whose name it bears, and which of the hostile keys signed it.
    const branch = fc.array(fc.tuple(fc.nat(ACTIVE + 3), fc.nat(17), fc.boolean()), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(hostile, branch, fc.integer({ min: 30, max: 200 }), (places, invented, ancestor) => {
        const turns = turnsOf(ACTIVE);
        const following = follower(turns);
        for (let number = 1; number <= ancestor; number += 1)
          following.read(made(number, turnAt(turns, number)));
        const keysBefore = following.keys();
        for (const [index, [name, key, isOwn]] of invented.entries()) {
          const signer = `w${places[key % Math.max(1, places.length)] ?? "nobody"}`;
          const witness = isOwn ? signer : `w${name}`;
          expect(following.read(made(ancestor + 1 + index, { witness, signer }))).toBeLessThanOrEqual(
            ancestor,
          );
        }
        const honest = keysBefore.filter(
          ({ witnessHex }) => !places.some((place) => witnessHex === `w${place}`),
        );
        for (const { witnessHex, signerHex } of honest)
          expect(following.keys()).toContainEqual(expect.objectContaining({ witnessHex, signerHex }));
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

describe("a key is learned", () => {
  const turns = turnsOf(4);
  const witnesses = { keys: pinned(turns), active: 4 };
  const known = (keys: readonly WitnessKey[], witness: string) =>
    keys.find(({ witnessHex }) => witnessHex === witness)?.signerHex;

  it("at once where it is the witness's own, and from two blocks where it is not", () => {
    const own = made(50, { witness: "w9", signer: "w9" });
    const other = made(51, { witness: "w1", signer: "key" });
    const learned = learnKeys([own, other], { ...witnesses, solid: 60 });
    expect([known(learned, "w9"), known(learned, "w1")]).toEqual(["w9", "w1"]);
    const again = made(55, { witness: "w1", signer: "key" });
    expect(known(learnKeys([own, other, again], { ...witnesses, solid: 60 }), "w1")).toBe("key");
  });

  it("from no block above the solid one, and from none before the key that is known", () => {
    const twice = (at: number) =>
      [50, 60].map((number) => made(at + number, { witness: "w1", signer: "key" }));
    expect(known(learnKeys(twice(0), { ...witnesses, solid: 55 }), "w1")).toBe("w1");
    const keys = witnesses.keys.map((key) => ({ ...key, sinceBlock: 100 }));
    expect(known(learnKeys(twice(0), { keys, active: 4, solid: 200 }), "w1")).toBe("w1");
    expect(known(learnKeys(twice(100), { keys, active: 4, solid: 200 }), "w1")).toBe("key");
  });

  it("from no single false signature: the witness's next block has the true one again", () => {
    const blocks = [made(50, { witness: "w1", signer: "w1" }), made(54, { witness: "w1", signer: "false" })];
    expect(known(learnKeys(blocks, { ...witnesses, solid: 60 }), "w1")).toBe("w1");
    const nobody = [
      made(50, { witness: "w1", signer: undefined }),
      made(54, { witness: "w1", signer: undefined }),
    ];
    expect(known(learnKeys(nobody, { ...witnesses, solid: 60 }), "w1")).toBe("w1");
  });

  it("in the place of the witness that has made no block for longest", () => {
    const blocks = [...chainOf(turns.slice(1), 40), made(41, { witness: "w9", signer: "w9" })];
    const learned = learnKeys(blocks, { ...witnesses, solid: 45 });
    expect(learned.map(({ witnessHex }) => witnessHex).sort()).toEqual(["w1", "w2", "w3", "w9"]);
  });
});
