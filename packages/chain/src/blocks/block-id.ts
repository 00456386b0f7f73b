import { headerHash, idPrefix } from "@daric/tron/block";
import { type JsonObject, readHexBytes, readInt64 } from "./read-json.ts";

/** The hash of `block_header.raw_data`: number, time, parent, witness, txTrieRoot. @throws AnswerError if a field is malformed. */
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

/** @throws AnswerError if a field is malformed. */
export function blockIdOf(header: JsonObject): string {
  return idOfHash(readInt64(header.number, "number"), headerHashOf(header));
}

export function idOfHash(number: number | bigint, hashHex: string): string {
  const prefix = idPrefix(number);
  return prefix + hashHex.slice(prefix.length);
}

export function isIdOfNumber(id: string, number: number): boolean {
  return id.startsWith(idPrefix(number));
}
