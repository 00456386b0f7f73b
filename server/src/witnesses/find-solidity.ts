import type { Queryable, Transaction } from "@daric/postgres/sql";
import type { TronNode } from "../chain/chain-reader.ts";
import { askSigners } from "./ask-signers.ts";
import { judgeAlone, type KeyWord, keysToAskFor, learnKeys, rotationsToLearnFrom } from "./learn-keys.ts";
import { claimedHeight, type SignedBlock, solidHeight, type WitnessKey } from "./solid-height.ts";
import {
  findWitnesses,
  listBlockIds,
  listNamedKeys,
  listSignedBlocks,
  lockPin,
  replaceKeys,
  type StoredKey,
} from "./store.ts";

/** How far our blocks are proven final, and how far they would be if each were made by whom it names. */
export type Solidity = { readonly proven: number | undefined; readonly claimed: number | undefined };

/** What the nodes say of keys that are not known, each under the block that taught it. */
export type KeyWords = ReadonlyMap<number, KeyWord>;

/**
 * The solid height by our own blocks up to `head`, whatever a node says of it. As many rows are read as there are
 * witnesses, a few rotations of blocks beside, however long nothing was final. Where no witnesses are pinned nothing is
 * proven, and proof is all that is missing.
 */
export async function findSolidity(
  db: Queryable,
  { network, head }: { network: string; head: number },
): Promise<Solidity> {
  const witnesses = await findWitnesses(db, network);
  if (witnesses === undefined) return { proven: undefined, claimed: head };
  const { active, keys } = witnesses;
  const recent = await listSignedBlocks(db, {
    network,
    from: head - rotationsToLearnFrom * active + 1,
    to: head,
  });
  return {
    proven: solidHeight(lastBlocksOf(keys), { keys, active }),
    claimed: claimedHeight(recent, active),
  };
}

/**
 * Asks the nodes about the keys that are to be learned from the blocks up to the solid one; with `again` about those too that one
 * node alone has taught. Nobody is asked where there is one node only, or nothing to learn.
 */
export async function askForKeys(
  db: Queryable,
  nodes: readonly TronNode[],
  { network, solid, again = false }: { network: string; solid: number; again?: boolean },
): Promise<KeyWords> {
  const lesson = nodes.length < 2 ? undefined : await readLesson(db, { network, solid });
  if (lesson === undefined) return new Map();
  const { blocks, learning } = lesson;
  const [known] = lastBlocksOf(learning.keys.filter(({ isAlone }) => isAlone !== true)).sort(
    (a, b) => b.number - a.number,
  );
  const alone = learning.keys.flatMap((key) =>
    again && key.isAlone === true && key.lastBlock !== null ? [{ ...key, number: key.lastBlock }] : [],
  );
  const taught = keysToAskFor(blocks, learning).map((key) => ({
    ...key,
    number: key.sinceBlock,
    replaced: learning.keys.find(({ witnessHex }) => witnessHex === key.witnessHex)?.signerHex,
  }));
  const wanted = [...alone, ...taught];
  if (wanted.length === 0 || known === undefined) return new Map();
  const ids = await listBlockIds(db, { network, numbers: [known, ...wanted].map(({ number }) => number) });
  const idOf = (number: number) => ids.get(number) ?? "";
  return askSigners(nodes, {
    blocks: wanted.map(({ number, signerHex, witnessHex, replaced }) => ({
      number,
      id: idOf(number),
      signerHex,
      others: [witnessHex, replaced],
    })),
    known: { ...known, id: idOf(known.number) },
  });
}

/** `learned`: the keys that were not known before. `refused`: how many more there are that one node alone shows. */
export type Learned = { readonly learned: readonly WitnessKey[]; readonly refused: number };

/**
 * Learns who may sign from the blocks up to the solid one. That there is anything learned means that more may be solid than
 * was thought.
 */
export async function learnFromSolid(
  tx: Transaction,
  { network, solid, words = new Map() }: { network: string; solid: number; words?: KeyWords },
): Promise<Learned> {
  await lockPin(tx, network);
  const lesson = await readLesson(tx, { network, solid });
  if (lesson === undefined) return { learned: [], refused: 0 };
  const { blocks, learning } = lesson;
  const judged = judgeAlone(learning.keys, ({ lastBlock }) => words.get(lastBlock ?? -1));
  const refuted = learning.keys.filter((key) => !judged.some(({ signerHex }) => signerHex === key.signerHex));
  // What nobody was asked about one node has shown alone; what is just refuted is not learned from the same blocks again.
  const wordOf = ({ sinceBlock, signerHex }: WitnessKey) =>
    refuted.some((key) => key.signerHex === signerHex) ? "refuted" : (words.get(sinceBlock) ?? "alone");
  const keys = learnKeys(blocks, { ...learning, keys: judged, wordOf });
  const before = new Map(learning.keys.map((key) => [key.witnessHex, key]));
  const learned = keys.filter(({ witnessHex, signerHex }) => before.get(witnessHex)?.signerHex !== signerHex);
  const isAloneNoMore = keys.some(({ witnessHex, isAlone }) => before.get(witnessHex)?.isAlone !== isAlone);
  if (learned.length > 0 || isAloneNoMore) await replaceKeys(tx, { network, keys });
  const left = keysToAskFor(blocks, { ...learning, keys });
  return {
    learned,
    refused: left.filter(({ sinceBlock }) => (words.get(sinceBlock) ?? "alone") === "alone").length,
  };
}

/** What there is to learn from, and what is known; undefined where nothing is pinned. */
async function readLesson(db: Queryable, { network, solid }: { network: string; solid: number }) {
  const witnesses = await findWitnesses(db, network);
  if (witnesses === undefined) return undefined;
  const { active, keys } = witnesses;
  const recent = await listSignedBlocks(db, {
    network,
    from: solid - rotationsToLearnFrom * active + 1,
    to: solid,
  });
  const blocks: readonly SignedBlock[] = [...recent, ...lastBlocksOf(keys)];
  const named = await listNamedKeys(db, { network, solid });
  return { blocks, learning: { active, keys, solid, named } };
}

function lastBlocksOf(
  keys: readonly StoredKey[],
): { number: number; witnessHex: string; signerHex: string }[] {
  return keys.flatMap(({ lastBlock, witnessHex, signerHex }) =>
    lastBlock === null ? [] : [{ number: lastBlock, witnessHex, signerHex }],
  );
}
