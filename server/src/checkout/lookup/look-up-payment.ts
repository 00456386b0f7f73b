import { setTimeout as sleep } from "node:timers/promises";
import { addressToHex } from "@daric/tron/address";
import { NodeError } from "../../chain/node-error.ts";
import type { ToldRun } from "../../chain/told-run.ts";
import type { ChargeRef } from "../../domain/ids.ts";
import type { Lookup, NamedTransaction } from "../../domain/lookup.ts";
import type { Currency } from "../../domain/money.ts";
import type { AskedChain, LookupContext } from "./context.ts";
import { judgeArrivals } from "./judge-arrivals.ts";
import { judgeRun } from "./judge-run.ts";
import { findArrivals, findReadHeight } from "./store.ts";

/**
 * How often payers together may have a node asked, in this process: a look-up is a question or two to each of at most two
 * nodes, so that whatever payers do costs no more than so many calls.
 */
const NODE_CALLS_PER_MINUTE = 60;
const CALLS_OF_A_QUESTION = 2;
const MOST_NODES = 2;
/** For one node; a payer waits for the answer. */
const PATIENCE_MS = 3_000;
/** So that nodes that hang hold no more of the places that requests have. */
const MOST_AT_ONCE = 8;
const TRY_AGAIN_SECONDS = 60;
const MINUTE_MS = 60_000;

/** The charge that a payer asks for. */
export type LookedUpCharge = ChargeRef & { readonly address: string; readonly currency: Currency };
export type LookUpPayment = (
  charge: LookedUpCharge,
  asked: Exclude<NamedTransaction, "not_an_id">,
) => Promise<Lookup>;

/**
 * Makes the verb that says what became of a payer's transaction: by our own blocks first; what they do not show there a node is
 * asked, within the budget of this process. A question of a payer speaks for or against no node: whoever chose the
 * transaction chose the answer.
 */
export function createLookUp(context: LookupContext): LookUpPayment {
  const { db, config, requiredConfirmations } = context;
  const askNodes = askWithinBudget(context);
  const network = config.chain.network;

  return async ({ address, currency, ...ref }, asked) => {
    if (asked === "not_on_tron") return { result: asked };
    const { txId } = asked;
    const own = db.ofTenant(ref.merchantId);
    // The height before the deposits: whatever was paid up to it is among them.
    const headNumber = await findReadHeight(own, network);
    const arrivals = await findArrivals(own, { ...ref, txId }, headNumber);
    const known = judgeArrivals(arrivals);
    if (known !== undefined) return known;
    const chain = context.currentChain();
    const run = chain && (await askNodes(chain, txId));
    const { usdtContractHex = "" } = chain?.network ?? {};
    const expected = { currency, headNumber, requiredConfirmations, usdtContractHex };
    const told = run && judgeRun(run, { ...expected, addressHex: addressToHex(address) });
    return told ?? { result: "not_found", retryAfterSeconds: TRY_AGAIN_SECONDS };
  };
}

type AskNodes = (chain: AskedChain, txId: string) => Promise<ToldRun | undefined>;

/** The answer of the first node that has one; undefined where none has it, in time and within the budget. */
function askWithinBudget({ clock }: LookupContext): AskNodes {
  let calls = NODE_CALLS_PER_MINUTE;
  let sinceMs = clock.monotonicMs();
  let underWay = 0;

  function mayAsk(): boolean {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= MINUTE_MS) [calls, sinceMs] = [NODE_CALLS_PER_MINUTE, nowMs];
    if (calls < CALLS_OF_A_QUESTION) return false;
    calls -= CALLS_OF_A_QUESTION;
    return true;
  }

  const askSome: AskNodes = async ({ client }, txId) => {
    for (const node of client.nodes.slice(0, MOST_NODES)) {
      if (!mayAsk()) return undefined;
      const asking = node.findRun(txId).catch((error: unknown) => {
        if (!(error instanceof NodeError)) throw error;
        return undefined;
      });
      const run = await Promise.race([asking, sleep(PATIENCE_MS, undefined, { ref: false })]);
      if (run !== undefined) return run;
    }
    return undefined;
  };
  return async (...question) => {
    if (underWay >= MOST_AT_ONCE) return undefined;
    underWay += 1;
    try {
      return await askSome(...question);
    } finally {
      underWay -= 1;
    }
  };
}
