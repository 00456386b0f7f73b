import type { Transaction } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { insertKeyChanges, type KeyChange } from "./store.ts";

/**
 * Records the keys that witnesses name in blocks, which the root of each block covers: they are learned when the block is
 * solid. Of a block that an operator accepted the root need not hold, so that nothing it names is. Where nobody names one,
 * nothing is asked of the database.
 */
export async function recordNamedKeys(
  tx: Transaction,
  { network, blocks }: { network: string; blocks: readonly NamingBlock[] },
): Promise<void> {
  const proven = blocks.filter(({ isAccepted }) => !isAccepted);
  const changes = proven.flatMap(({ header, transactions }) =>
    transactions.flatMap(({ contract, contractRet }, place): KeyChange[] =>
      contract.kind === "other" && contract.namedKey !== undefined && contractRet === "SUCCESS"
        ? [{ ...contract.namedKey, blockId: header.id, number: header.number, place }]
        : [],
    ),
  );
  if (changes.length > 0) await insertKeyChanges(tx, { network, changes });
}

type NamingBlock = Pick<CompleteBlock, "header" | "transactions" | "isAccepted">;
