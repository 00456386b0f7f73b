import type { Database } from "@daric/postgres/sql";
import type { TronNode } from "../chain/chain-reader.ts";
import type { ContextOf } from "../runtime/context.ts";
import { type AgreedWitnesses, askWitnesses } from "./ask-witnesses.ts";
import { findPin, replaceKeys, savePin } from "./store.ts";

/**
 * Makes the agreed witnesses the known ones, in the place of all that was pinned and learned before. With `onlyFirst` nothing
 * is changed where any are pinned. Answers whether it was done.
 */
export async function pinWitnesses(
  db: Database,
  { network, agreed, onlyFirst = false }: { network: string; agreed: AgreedWitnesses; onlyFirst?: boolean },
): Promise<boolean> {
  const { active, fingerprint, keys } = agreed;
  return db.transaction(async (tx) => {
    if (onlyFirst && (await findPin(tx, network)) !== undefined) return false;
    await savePin(tx, { network, active, fingerprint });
    await replaceKeys(tx, { network, keys });
    return true;
  });
}

/**
 * Whether it is known who may sign: where nothing is pinned the nodes are asked, and what all of them say is pinned and said.
 *
 * @throws WitnessesInDoubtError when they do not all say the same.
 */
export async function pinFirst(
  { db, log }: Pick<ContextOf, "db" | "log">,
  { nodes, network }: { nodes: readonly TronNode[]; network: string },
): Promise<void> {
  if ((await findPin(db, network)) !== undefined) return;
  const agreed = await askWitnesses(nodes);
  if (!(await pinWitnesses(db, { network, agreed, onlyFirst: true }))) return;
  log.info(
    { active: agreed.active, witnesses: agreed.keys.length, fingerprint: agreed.fingerprint },
    "the witnesses that may sign blocks are pinned as all nodes name them: daric witnesses list names them",
  );
}
