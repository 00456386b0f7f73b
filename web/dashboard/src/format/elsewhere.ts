import type { Elsewhere } from "../api/work-operations.ts";
import { words } from "../words/words.ts";
import { moneyText } from "./amount.ts";

/** The nodes' answer about a transaction that is no payment of the merchant, as a sentence. */
export function elsewhereText({ result, address, amount, currency }: Elsewhere): string {
  const texts = words.shell.elsewhere;
  if (result === "failed" || result === "not_on_tron" || result === "not_found" || result === "no_answer")
    return texts[result];
  if (address === null) return texts.nothing;
  const money = amount === null || currency === null ? texts.otherToken : moneyText(amount, currency);
  return texts[result]({ money, address });
}
