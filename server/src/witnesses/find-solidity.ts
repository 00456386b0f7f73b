import type { Queryable, Transaction } from "@daric/postgres/sql";
import { learnKeys, rotationsToLearnFrom } from "./learn-keys.ts";
import { claimedHeight, solidHeight, type WitnessKey } from "./solid-height.ts";
import { findPin, listKeys, listSignedBlocks, lockActive, replaceKeys } from "./store.ts";

/** How far our blocks are proven final, and how far they would be if each were made by whom it names. */
export type Solidity = { readonly proven: number | undefined; readonly claimed: number | undefined };

/**
 * The solid height by our own blocks up to `head`, whatever a node says of it. As many rows are read as there are
 * witnesses, a few rotations of blocks beside, however long nothing was final. Where no witnesses are pinned nothing is
 * proven, and proof is all that is missing.
 */
export async function findSolidity(
  db: Queryable,
  { network, head }: { network: string; head: number },
): Promise<Solidity> {
  const pin = await findPin(db, network);
  if (pin === undefined) return { proven: undefined, claimed: head };
  const { active } = pin;
  const keys = await listKeys(db, network);
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
 * Learns who may sign from the blocks up to the solid one. Answers the keys that were not known before; that there are any
 * means that more may be solid than was thought.
 */
export async function learnFromSolid(
  tx: Transaction,
  { network, solid }: { network: string; solid: number },
): Promise<readonly WitnessKey[]> {
  const active = await lockActive(tx, network);
  if (active === undefined) return [];
  const known = await listKeys(tx, network);
  const recent = await listSignedBlocks(tx, {
    network,
    from: solid - rotationsToLearnFrom * active + 1,
    to: solid,
  });
  const keys = learnKeys([...recent, ...lastBlocksOf(known)], { keys: known, active, solid });
  const signers = new Map(known.map(({ witnessHex, signerHex }) => [witnessHex, signerHex]));
  const learned = keys.filter(({ witnessHex, signerHex }) => signers.get(witnessHex) !== signerHex);
  if (learned.length > 0) await replaceKeys(tx, { network, keys });
  return learned;
}

function lastBlocksOf(keys: Awaited<ReturnType<typeof listKeys>>) {
  return keys.flatMap(({ lastBlock, witnessHex, signerHex }) =>
    lastBlock === null ? [] : [{ number: lastBlock, witnessHex, signerHex }],
  );
}
