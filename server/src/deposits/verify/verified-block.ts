import type { CompleteBlock } from "../../chain/blocks/complete-block.ts";
import { infosDigestOf } from "../../chain/blocks/decode-infos.ts";
import type { Check } from "../check-store.ts";
import { blockOf } from "../record/record-block.ts";
import type { QuorumResult, StoredDeposit } from "./agree.ts";
import type { Reader } from "./verifier.ts";
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

type Identity = Pick<StoredDeposit, "id" | "merchantId">;

const idsOf = ({ id, merchantId }: Identity) => ({ depositId: id, merchantId });

export function solidityCheck(deposit: Identity, { number, sourceNode }: SolidBlock): Check {
  const detail = `block ${number} is solid${sourceNode === undefined ? "" : `; ${sourceNode} reported it first`}`;
  return { ...idsOf(deposit), name: "solidity", result: "passed", detail };
}

/** The root proves native transfers, so they need no quorum. */
export function quorumCheck(
  deposit: StoredDeposit,
  nodes: readonly string[],
  { client }: Pick<Reader, "client">,
): Check[] {
  if (deposit.source === "transfer") return [];
  const detail = `${nodes.length} of ${client.nodes.length} nodes agree: ${nodes.join(", ")}`;
  return [{ ...idsOf(deposit), name: "quorum", result: "passed", detail }];
}

export function waitingCheck(deposit: Identity, detail: string): Check {
  return { ...idsOf(deposit), name: "quorum", result: "waiting", detail };
}
