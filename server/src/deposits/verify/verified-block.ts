import type { Check } from "../check-store.ts";
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
