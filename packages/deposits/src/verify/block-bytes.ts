import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import { decodeRuns } from "@daric/chain/blocks/decode-infos";
import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { WatcherContext } from "../context.ts";
import { matchBlock } from "../record/match-transfers.ts";
import type { NumberedAnswer } from "./answer-cache.ts";
import type { Reader } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

/** A node's answer, without what the bytes of its block contradict. */
export async function readWithBytes(
  { db }: Pick<WatcherContext, "db">,
  { network: { tokens, name } }: Pick<Reader, "network">,
  { block, body, answer }: { block: SolidBlock; body: CompleteBlock; answer: NumberedAnswer },
): Promise<NumberedAnswer> {
  const { decoded, mismatched } = decodeRuns(body, { infos: answer.infos, tokens });
  const runs = {
    ...decoded,
    transfers: decoded.transfers.filter(({ source }) => source !== "transfer"),
    callValues: [],
    sentTransactions: [],
  };
  const unsupported = decoded.unsupported.filter(({ source }) => source !== "transfer");
  return {
    ...answer,
    contradicting: mismatched,
    matches: await matchBlock(db, { ...runs, unsupported, network: name, block }),
  };
}

/** Our complete block from any node. @throws NodeError if no node has it now. */
export function fetchOurBody(
  { client: { query, overrides } }: Pick<Reader, "client">,
  { number, blockId }: Pick<SolidBlock, "number" | "blockId">,
): Promise<CompleteBlock> {
  return query(async (node) => {
    const body = await node.fetchCompleteBlock(number).catch(overrides.apply);
    if (body.header.id === blockId) return body;
    throw new IncompleteBlockError(node.label, number, "it is another block than ours");
  });
}

/** Our complete block from any node; undefined, with a warning, if no node has it now. */
export async function findOurBody(
  { log }: Pick<WatcherContext, "log">,
  reader: Reader,
  block: SolidBlock,
): Promise<CompleteBlock | undefined> {
  try {
    return await fetchOurBody(reader, block);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn(
      { event: "solid_block_incomplete", block_number: block.number, reason: error.message },
      "no node shows a solid block completely, so it cannot be verified",
    );
    return undefined;
  }
}
