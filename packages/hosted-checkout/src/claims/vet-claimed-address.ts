import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import { fetchAccount, isBlacklisted } from "@daric/chain/nodes/fetch-account";
import type { Network } from "@daric/chain/nodes/networks";
import { queryQuorum } from "@daric/chain/nodes/query-quorum";
import { createCallBudget } from "@daric/deposits/lookup/call-budget";
import type { Token } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { Database } from "@daric/postgres/sql";
import type { Refund } from "@daric/refunds/refund";
import { faultOfPayee, type PayeeFault } from "@daric/refunds/vet-address";
import type { Clock } from "@daric/runtime/clock";

/** The part of a verified chain that knows accounts. */
export type AccountChain = {
  readonly client: Pick<NodeGroup, "nodes">;
  readonly network: Pick<Network, "tokens">;
};

/** The facts about an address. `isNew`: the chain has no account of it yet. */
export type AddressVetting = { readonly fault: PayeeFault | undefined; readonly isNew: boolean };

type VettingContext = {
  readonly db: Database;
  readonly clock: Clock;
  /** undefined before the chain is verified */
  readonly currentChain: () => AccountChain | undefined;
};
type Question = { readonly refund: Refund; readonly address: string; readonly clientAddress: string };

/** The limits of look-ups: so many nodes, patience with each, and questions at once. */
const MAX_NODES = 2;
const PATIENCE_MS = 3_000;
const MAX_AT_ONCE = 8;
const BUSY_SECONDS = 5;
const RETRY_SECONDS = 30;
/** A payer confirms within this time an address that was just checked. */
const KNOWN_FOR_MS = 120_000;
const MAX_KNOWN = 1_000;

/**
 * Creates the check of payers' addresses: their form and our own ones by the database, then contract and black list by two nodes. Each
 * node costs two calls of a budget like that of look-ups. A fault that one node reports counts.
 *
 * @throws SERVICE_UNAVAILABLE from the function while no node can be asked, or none answers: no address passes unchecked.
 */
export function createAddressVetting({ db, clock, currentChain }: VettingContext) {
  const budget = createCallBudget(clock);
  const known = new Map<string, { readonly vetting: AddressVetting; readonly untilMs: number }>();
  let underWay = 0;

  async function queryNodes({ client, network }: AccountChain, question: Question): Promise<AddressVetting> {
    const { refund, address, clientAddress } = question;
    if (underWay >= MAX_AT_ONCE) throw unchecked(BUSY_SECONDS);
    const owner = { merchantId: refund.merchantId, clientAddress };
    const nodes = client.nodes.slice(0, MAX_NODES).filter((_, n) => n === 0 || !budget.isLow());
    const waits = nodes.map(() => budget.take(owner));
    if (waits[0] !== 0) throw unchecked(waits[0] ?? RETRY_SECONDS);
    const asked = nodes.filter((_, n) => waits[n] === 0);
    const token = network.tokens.find(({ currency }) => currency === refund.currency);
    underWay += 1;
    try {
      const answers = await queryQuorum({ nodes: asked }, 1, (node) =>
        withPatience(node, { address, token }),
      );
      return {
        fault: answers.find(({ fault }) => fault !== undefined)?.fault,
        isNew: answers.every(({ isNew }) => isNew),
      };
    } catch (error) {
      throw error instanceof NodeError ? unchecked(RETRY_SECONDS) : error;
    } finally {
      underWay -= 1;
    }
  }

  return async (question: Question): Promise<AddressVetting> => {
    const { refund, address } = question;
    const fault = await faultOfPayee(db.forTenant(refund.merchantId), address);
    if (fault !== undefined) return { fault, isNew: false };
    const chain = currentChain();
    if (chain === undefined) throw unchecked(RETRY_SECONDS);
    const isToken = chain.network.tokens.some(({ contract }) => contract === address);
    if (isToken) return { fault: { is: "contract" }, isNew: false };
    const key = `${refund.currency} ${address}`;
    const nowMs = clock.monotonicMs();
    const before = known.get(key);
    if (before !== undefined && before.untilMs > nowMs) return before.vetting;
    const vetting = await queryNodes(chain, question);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, { vetting, untilMs: nowMs + KNOWN_FOR_MS });
    return vetting;
  };
}

type Asked = { readonly address: string; readonly token: Token | undefined };

async function withPatience(node: TronNode, asked: Asked): Promise<AddressVetting> {
  const slow = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new NodeError("no answer in time", { fault: "timeout", node: node.label });
  });
  return Promise.race([vetAtNode(node, asked), slow]);
}

async function vetAtNode(node: TronNode, { address, token }: Asked): Promise<AddressVetting> {
  const [{ isActivated, isContract }, isBlocked] = await Promise.all([
    fetchAccount(node, address),
    token !== undefined && isBlacklisted(node, token.contract, address),
  ]);
  const isNew = !isActivated;
  if (isContract) return { fault: { is: "contract" }, isNew };
  return { fault: isBlocked && token ? { is: "blacklisted", currency: token.currency } : undefined, isNew };
}

function unchecked(retryAfterSeconds: number): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", {
    message: "The address could not be checked just now: try again.",
    retryAfterSeconds,
  });
}
