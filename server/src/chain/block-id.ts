import { blockId, idPrefix } from "@daric/tron/block";
import { type JsonObject, readHexBytes, readInt64 } from "./read-json.ts";

/**
 * The id of the block with this header (`block_header.raw_data` as nodes print it). Number, time, parent and root of
 * the transactions are in it, so none of them can be another under the same id.
 *
 * @throws AnswerError where a field has no honest form.
 */
export function blockIdOf(header: JsonObject): string {
  return blockId({
    timestamp: readInt64(header.timestamp, "timestamp"),
    txTrieRoot: readHexBytes(header.txTrieRoot, "txTrieRoot"),
    parentHash: readHexBytes(header.parentHash, "parentHash"),
    number: readInt64(header.number, "number"),
    witnessId: readInt64(header.witness_id, "witness_id"),
    witnessAddress: readHexBytes(header.witness_address, "witness_address"),
    version: readInt64(header.version, "version"),
    accountStateRoot: readHexBytes(header.accountStateRoot, "accountStateRoot"),
  });
}

/** Whether the id begins with this number, as every block's does. */
export function isIdOfNumber(id: string, number: number): boolean {
  return id.startsWith(idPrefix(number));
}
