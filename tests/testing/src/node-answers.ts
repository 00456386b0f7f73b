import type { Matches } from "@daric/deposits/record/match-transfers";
import type { ObservedTransfer } from "@daric/deposits/store";
import type { NodeAnswer } from "@daric/deposits/verify/agree";
import { idOf } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { derivedId } from "@daric/runtime/derived-id";

export const TX = "ab".repeat(32);
export const OTHER_TX = "cd".repeat(32);
export const OURS = "TNPZqmLJPZsLSJx9yWbwLcHKnB9nHzgUAF";
export const ALSO_OURS = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";

export const NOTHING: Matches = { observed: [], outflows: [], own: [], unattributed: [], unsupported: [] };

type Facts = {
  txId?: string;
  source?: "log" | "internal" | "transfer";
  eventIndex?: number;
  address?: string;
  units?: number;
  isMerkleProven?: boolean;
};

/** A payment to one of our addresses; amount and Merkle proof are not part of its id. */
export function aPayment({
  txId = TX,
  source = "log",
  eventIndex = 0,
  address = OURS,
  units = 5,
  isMerkleProven = false,
}: Facts = {}): ObservedTransfer {
  const money =
    source === "log"
      ? ({ currency: "USDT", amount: amountIn("USDT", BigInt(units)) } as const)
      : ({ currency: "TRX", amount: amountIn("TRX", BigInt(units)) } as const);
  return {
    id: idOf("deposit", derivedId("deposit", txId, source, eventIndex, address)),
    merchantId: idOf("merchant", derivedId("merchant")),
    chargeId: idOf("charge", derivedId("charge", address)),
    txId,
    source,
    eventIndex,
    address,
    fromAddress: null,
    txExpiresAt: null,
    isMerkleProven,
    ...money,
  };
}

/** One node's answer; by default without support for internal transfers. */
export function aNodeAnswer(
  node: string,
  observed: readonly ObservedTransfer[],
  change: Partial<NodeAnswer> = {},
): NodeAnswer {
  return {
    node,
    storesInternals: true,
    contradicting: new Set(),
    matches: { ...NOTHING, observed },
    ...change,
  };
}

/** Answers of nodes a, b, c and so on. */
export const answers = (...answersOfNodes: (readonly ObservedTransfer[])[]) =>
  answersOfNodes.map((observed, index) => aNodeAnswer("abcdefg".charAt(index), observed));
