import { setTimeout as sleep } from "node:timers/promises";
import { addressToHex } from "@daric/tron/address";
import { NodeError } from "../../chain/blocks/node-error.ts";
import type { NodeTransaction } from "../../chain/blocks/node-transaction.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { Network, NetworkName } from "../../chain/nodes/networks.ts";
import type { Currency } from "../../domain/asset.ts";
import type { ChargeId, ChargeRef, MerchantId } from "../../domain/ids.ts";
import type { Lookup, NamedTransaction } from "../../domain/lookup.ts";
import type { Amount } from "../../domain/money.ts";
import type { ContextOf } from "../../runtime/context.ts";
import { matchArrivals, matchNodeTransaction } from "./match-transaction.ts";
import { findArrivals, findFamilyAddresses, findReadHeight } from "./store.ts";

/** The part of a verified chain that a look-up needs. */
type LookupChain = {
  readonly client: { readonly nodes: readonly Pick<TronNode, "findRun">[] };
  readonly network: Pick<Network, "tokens" | "genesisId" | "explorerTxTemplate">;
};

export type LookupContext = ContextOf<{ readonly chain: { readonly network: NetworkName } }> & {
  /** the chain, once it is verified */
  readonly currentChain: () => LookupChain | undefined;
  /** of a payment */
  readonly requiredConfirmations: number;
};

const MOST_NODES = 2;
/** The timeout for one node; a payer waits for the answer. */
const PATIENCE_MS = 3_000;
/** The most request slots that hanging nodes can hold. */
const MOST_AT_ONCE = 8;
/** The page follows a wallet's transaction at this pace, and shows a failure within half a minute. */
const TRY_AGAIN_SECONDS = 20;
/** By then a hanging query has ended and freed its slot. */
const BUSY_SECONDS = 5;

type LookedUpCharge = ChargeRef & {
  readonly currency: Currency;
  /** null for any amount */
  readonly due: Amount | null;
  /** the payer's network address, in the form of rate limits */
  readonly clientAddress: string;
};
type PaymentLookup = (
  charge: LookedUpCharge,
  transaction: Exclude<NamedTransaction, "not_an_id">,
) => Promise<Lookup>;

/**
 * Creates the look-up of a payer's transaction. Our own blocks come first. For the rest a node is queried
 * within the {@link createCallBudget}. These queries never count for or against a node's health: the payer
 * chose the transaction.
 */
export function createPaymentLookup(context: LookupContext): PaymentLookup {
  const { db, config, requiredConfirmations } = context;
  const queryNodes = queryWithinBudget(context);
  const network = config.chain.network;

  return async ({ currency, due, clientAddress, ...ref }, transaction) => {
    if (transaction === "not_on_tron") return { result: transaction };
    const { txId } = transaction;
    const own = db.ofTenant(ref.merchantId);
    // The height is read before the deposits: all payments up to it are among them.
    const headNumber = await findReadHeight(own, network);
    const family = await findFamilyAddresses(own, ref);
    const named = { ...ref, family: family.map(({ id }) => id), txId };
    const arrivals = await findArrivals(own, named, headNumber);
    const known = matchArrivals(arrivals);
    if (known !== undefined) return known;
    const chain = context.currentChain();
    const { run, busySeconds } = chain ? await queryNodes(chain, txId, { ...ref, clientAddress }) : {};
    if (busySeconds !== undefined) return { result: "busy", retryAfterSeconds: busySeconds };
    const { tokens = [] } = chain?.network ?? {};
    const expected = { currency, due, headNumber, requiredConfirmations, tokens };
    // The page's own address is compared first with one that only looks like it.
    const isOwn = ({ id }: { readonly id: ChargeId }) => id === ref.id;
    const addresses = [...family.filter(isOwn), ...family.filter((each) => !isOwn(each))];
    const addressesHex = addresses.map(({ address }) => addressToHex(address));
    const answer = run && matchNodeTransaction(run, { ...expected, addressesHex });
    return answer ?? { result: "not_found", retryAfterSeconds: TRY_AGAIN_SECONDS };
  };
}

/** The nodes' answer: empty if no queried node knows it; or the seconds to wait if none could be queried. */
type NodeLookup = { readonly run?: NodeTransaction; readonly busySeconds?: number };
type QueryNodes = (chain: LookupChain, txId: string, owner: CallOwner) => Promise<NodeLookup>;

/**
 * Queries a node, and a second one if the first does not answer. After an unknown transaction the second one
 * is queried only while most of the budget is left.
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

/** A node's report of a transaction, within the time that a payer waits. */
export async function queryNode(
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

/** The most node calls of a look-up. */
const CALLS_PER_LOOKUP = 2;
/**
 * Node calls a minute of all payers of this process, of one merchant and of one address. No one of them can
 * use up the share of the others.
 */
const CALLS_PER_MINUTE = { all: 60, merchant: 40, address: 20 } as const;
const MINUTE_MS = 60_000;

type CallOwner = { readonly merchantId: MerchantId; readonly clientAddress: string };

type CallBudget = {
  /** Takes the calls of a look-up and returns 0, or returns the seconds until there are some. */
  take(owner: CallOwner): number;
  /** Less than half of the budget is left. */
  isLow(): boolean;
};

/** The call budget of a process; it is full again at the end of each minute. */
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
