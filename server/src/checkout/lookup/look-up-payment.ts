import { setTimeout as sleep } from "node:timers/promises";
import { addressToHex } from "@daric/tron/address";
import { NodeError } from "../../chain/blocks/node-error.ts";
import type { NodeTransaction } from "../../chain/blocks/node-transaction.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { Network, NetworkName } from "../../chain/nodes/networks.ts";
import type { Currency } from "../../domain/asset.ts";
import type { ChargeRef, MerchantId } from "../../domain/ids.ts";
import type { Lookup, NamedTransaction } from "../../domain/lookup.ts";
import type { ContextOf } from "../../runtime/context.ts";
import { matchArrivals, matchNodeTransaction } from "./match-transaction.ts";
import { findArrivals, findReadHeight } from "./store.ts";

/** So much of a verified chain as a transaction is looked up on. */
type LookupChain = {
  readonly client: { readonly nodes: readonly Pick<TronNode, "findRun">[] };
  readonly network: Pick<Network, "tokens">;
};

/** What a payer's transaction is looked up with. */
export type LookupContext = ContextOf<{ readonly chain: { readonly network: NetworkName } }> & {
  /** the chain, as soon as it is verified */
  readonly currentChain: () => LookupChain | undefined;
  /** of a payment */
  readonly requiredConfirmations: number;
};

const MOST_NODES = 2;
/** For one node; a payer waits for the answer. */
const PATIENCE_MS = 3_000;
/** So that nodes that hang hold no more of the places that requests have. */
const MOST_AT_ONCE = 8;
const TRY_AGAIN_SECONDS = 60;
/** When a question that hangs has ended, and left its place. */
const BUSY_SECONDS = 5;

/** The charge that a payer asks for. */
type LookedUpCharge = ChargeRef & {
  readonly address: string;
  readonly currency: Currency;
  /** the network address of the payer, as addresses are counted */
  readonly clientAddress: string;
};
type PaymentLookup = (
  charge: LookedUpCharge,
  transaction: Exclude<NamedTransaction, "not_an_id">,
) => Promise<Lookup>;

/**
 * Makes the verb that says what became of a payer's transaction: by our own blocks first; what they do not show there a node is
 * asked, within what {@link createCallBudget} lets be asked. A question of a payer speaks for or against no node: whoever chose the
 * transaction chose the answer.
 */
export function createPaymentLookup(context: LookupContext): PaymentLookup {
  const { db, config, requiredConfirmations } = context;
  const queryNodes = queryWithinBudget(context);
  const network = config.chain.network;

  return async ({ address, currency, clientAddress, ...ref }, transaction) => {
    if (transaction === "not_on_tron") return { result: transaction };
    const { txId } = transaction;
    const own = db.ofTenant(ref.merchantId);
    // The height before the deposits: whatever was paid up to it is among them.
    const headNumber = await findReadHeight(own, network);
    const arrivals = await findArrivals(own, { ...ref, txId }, headNumber);
    const known = matchArrivals(arrivals);
    if (known !== undefined) return known;
    const chain = context.currentChain();
    const { run, busySeconds } = chain ? await queryNodes(chain, txId, { ...ref, clientAddress }) : {};
    if (busySeconds !== undefined) return { result: "busy", retryAfterSeconds: busySeconds };
    const { tokens = [] } = chain?.network ?? {};
    const expected = { currency, headNumber, requiredConfirmations, tokens };
    const answer = run && matchNodeTransaction(run, { ...expected, addressHex: addressToHex(address) });
    return answer ?? { result: "not_found", retryAfterSeconds: TRY_AGAIN_SECONDS };
  };
}

/** What the nodes said: nothing where none of those that were asked knows it; or when to ask, where none could be asked. */
type NodeLookup = { readonly run?: NodeTransaction; readonly busySeconds?: number };
type QueryNodes = (chain: LookupChain, txId: string, owner: CallOwner) => Promise<NodeLookup>;

/**
 * Asks a node, and a second one where the first does not answer; where it does not know, a second one only while most of
 * what may be asked is left.
 */
function queryWithinBudget({ clock }: LookupContext): QueryNodes {
  const budget = createCallBudget(clock);
  let underWay = 0;

  const querySome: QueryNodes = async ({ client }, txId, owner) => {
    let isUnknown = false;
    for (const node of client.nodes.slice(0, MOST_NODES)) {
      if (isUnknown && budget.isLow()) return {};
      const busySeconds = budget.take(owner);
      if (busySeconds > 0) return isUnknown ? {} : { busySeconds };
      const answer = await queryNode(node, txId);
      if (typeof answer === "object") return { run: answer };
      isUnknown ||= answer === "unknown";
    }
    return {};
  };
  return async (...question) => {
    if (underWay >= MOST_AT_ONCE) return { busySeconds: BUSY_SECONDS };
    underWay += 1;
    try {
      return await querySome(...question);
    } finally {
      underWay -= 1;
    }
  };
}

async function queryNode(
  node: LookupChain["client"]["nodes"][number],
  txId: string,
): Promise<NodeTransaction | "unknown" | "failed"> {
  const pending = node.findRun(txId).then(
    (run) => run ?? "unknown",
    (error: unknown) => {
      if (!(error instanceof NodeError)) throw error;
      return "failed" as const;
    },
  );
  return Promise.race([pending, sleep(PATIENCE_MS, "failed" as const, { ref: false })]);
}

/** The calls that a question to a node costs at most. */
const CALLS_PER_LOOKUP = 2;
/**
 * How many calls a minute all payers of this process may cost, those of one merchant, and those from one address: whatever one
 * of them asks, there is something left for the others.
 */
const CALLS_PER_MINUTE = { all: 60, merchant: 40, address: 20 } as const;
const MINUTE_MS = 60_000;

/** For whom a node is asked. */
type CallOwner = { readonly merchantId: MerchantId; readonly clientAddress: string };

/** What payers may have nodes asked. */
type CallBudget = {
  /** Takes the calls of a question, and answers 0; or the seconds until there are some, where there are none. */
  take(owner: CallOwner): number;
  /** Less than half of it is left. */
  isLow(): boolean;
};

/** Makes the call budget of a process. It is full again at the end of each minute. */
function createCallBudget(clock: LookupContext["clock"]): CallBudget {
  const spent = new Map<string, number>();
  let sinceMs = clock.monotonicMs();

  function spentBy(name: string): number {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= MINUTE_MS) {
      spent.clear();
      sinceMs = nowMs;
    }
    return spent.get(name) ?? 0;
  }
  return {
    take({ merchantId, clientAddress }) {
      const shares = [
        ["all", CALLS_PER_MINUTE.all],
        [`merchant:${merchantId}`, CALLS_PER_MINUTE.merchant],
        [`address:${clientAddress}`, CALLS_PER_MINUTE.address],
      ] as const;
      if (shares.some(([name, most]) => spentBy(name) + CALLS_PER_LOOKUP > most))
        return Math.ceil((sinceMs + MINUTE_MS - clock.monotonicMs()) / 1_000);
      for (const [name] of shares) spent.set(name, spentBy(name) + CALLS_PER_LOOKUP);
      return 0;
    },
    isLow: () => spentBy("all") * 2 > CALLS_PER_MINUTE.all,
  };
}
