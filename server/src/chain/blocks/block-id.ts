import { headerHash, idPrefix } from "@daric/tron/block";
import { type JsonObject, readHexBytes, readInt64 } from "./read-json.ts";

/**
 * The hash of a header (`block_header.raw_data` as nodes print it). Number, time, parent, witness
 * and root of the transactions are in it, so none of them can be another under the same hash.
 *
 * @throws AnswerError where a field has no honest form.
 */
export function headerHashOf(header: JsonObject): string {
  return headerHash({
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

/** The id of the block with this header. @throws AnswerError where a field has no honest form. */
export function blockIdOf(header: JsonObject): string {
  return idOfHash(readInt64(header.number, "number"), headerHashOf(header));
}

/** The id of the block of this number whose header has this hash. */
export function idOfHash(number: number | bigint, hashHex: string): string {
  const prefix = idPrefix(number);
  return prefix + hashHex.slice(prefix.length);
}

/** Whether the id begins with this number, as every block's does. */
export function isIdOfNumber(id: string, number: number): boolean {
  return id.startsWith(idPrefix(number));
}
