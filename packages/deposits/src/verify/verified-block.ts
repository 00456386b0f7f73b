import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import { infosDigestOf } from "@daric/chain/blocks/decode-infos";
import type { Check } from "../check-store.ts";
import { blockOf } from "../record/record-block.ts";
import type { QuorumResult, StoredDeposit } from "./agree.ts";
import type { SolidBlock } from "./verify-store.ts";

/** A solid block after its second reading. */
export type VerifiedBlock = {
  readonly block: SolidBlock;
  readonly stored: readonly StoredDeposit[];
  /** undefined if all nodes report the stored transfers */
  readonly quorum: QuorumResult | undefined;
  readonly checks: readonly Check[];
};

export function asSolidBlock(body: CompleteBlock): SolidBlock {
  return { ...blockOf(body.header), infosDigest: infosDigestOf(body), sourceNode: undefined };
}
