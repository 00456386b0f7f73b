import type { NodeLookup } from "@daric/deposits/lookup/look-up";
import { reportResults, resultOf } from "@daric/deposits/lookup/node-report";
import { currencies } from "@daric/domain/asset";
import { formatAmount } from "@daric/domain/money";
import { amountText, text } from "@daric/http/validate";
import { hexToAddress } from "@daric/tron/address";
import { z } from "zod";
import { shortRow, toShortRow } from "../payments/schema.ts";
import type { SearchAnswer } from "./search-payments.ts";
import { searchReasons } from "./search-store.ts";

const MAX_SEARCH_CHARS = 200;

export const searchQuery = z.object({
  q: text(MAX_SEARCH_CHARS).refine((q) => q.trim() !== "", "must not be empty"),
});

const nodesAnswer = z
  .object({
    result: z.enum([...reportResults, "not_on_tron", "not_found", "no_answer"]).meta({
      description:
        "`failed`: it paid nothing. `other_address`: it paid no address of yours. `other_token`: it sent you a token that is not accepted. `seen`: it pays you, in a block that is not read yet. " +
        "`missed`: nodes say that it pays you, and its block was read without it. `not_on_tron`: a hash of another network (0x…). `not_found`: no node knows it. `no_answer`: no node could be asked, or answered.",
    }),
    address: z.string().nullable().meta({ description: "The address that it paid." }),
    amount: amountText.nullable().meta({ description: "Null for a token that is not accepted." }),
    currency: z.enum(currencies).nullable(),
  })
  .meta({ description: "Not proven: for a person to read." });

const foundRow = shortRow.extend({ why: z.enum(searchReasons) });
export const searchAnswer = z.object({
  results: z.array(foundRow),
  is_cut: z.boolean(),
  transaction: nodesAnswer.nullable(),
});

export function toSearchAnswer({ hits, isCut, transaction }: SearchAnswer): z.input<typeof searchAnswer> {
  return {
    results: hits.map(({ charge, why }) => ({ ...toShortRow(charge), why })),
    is_cut: isCut,
    transaction: transaction === undefined ? null : toNodesAnswer(transaction),
  };
}

function toNodesAnswer(nodes: NodeLookup | "not_on_tron"): z.input<typeof nodesAnswer> {
  const nothing = { address: null, amount: null, currency: null };
  if (nodes === "not_on_tron") return { result: nodes, ...nothing };
  const { report, answers } = nodes;
  if (report === undefined) {
    const isUnknown = answers.some(({ answer }) => answer === "unknown");
    return { result: isUnknown ? "not_found" : "no_answer", ...nothing };
  }
  const result = resultOf(report);
  const [payment] = result === "failed" ? [] : [...report.toUs, ...report.elsewhere];
  if (payment === undefined) return { result, ...nothing };
  const { toHex, money } = payment;
  return {
    result,
    address: hexToAddress(toHex),
    amount: money === undefined ? null : formatAmount(money.amount),
    currency: money?.currency ?? null,
  };
}
