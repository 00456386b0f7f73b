import type { NodeGroup, TronNode } from "../chain/nodes/chain-reader.ts";
import { callTokenView, fetchAccount, isBlacklisted } from "../chain/nodes/fetch-account.ts";
import { contractOf, type Network } from "../chain/nodes/networks.ts";
import { each, largest, queryQuorum, smallest } from "../chain/nodes/query-quorum.ts";
import type { Currency } from "../domain/asset.ts";
import { amountFromUnits, amountIn } from "../domain/money.ts";
import type { SweepFacts } from "../domain/sweep-price.ts";
import type { ResourcePrices } from "../domain/transfer-price.ts";
import { fetchResources, fetchTransferEnergy } from "./node-calls.ts";

/** Addresses that one node is queried about in parallel: hosted nodes limit the calls per second. */
const AT_ONCE = 4;

/** A sweep that nodes are queried about. Addresses are base58. */
export type SurveyedSweep = {
  readonly address: string;
  readonly destination: string;
  readonly currency: Currency;
  readonly units: bigint;
};

type Tokens = Pick<Network, "tokens">;

type Survey = {
  readonly prices: ResourcePrices;
  /** in the order of the sweeps */
  readonly facts: readonly SweepFacts[];
};

/**
 * Queries the nodes about the next batch of sweeps and about the chain's prices. The most expensive of several
 * answers counts: the most energy, the smallest balance, and any refusal.
 *
 * @throws NodeError if fewer nodes answer than are needed.
 */
export async function surveySweeps(
  client: Pick<NodeGroup, "nodes">,
  { needed, network, sweeps }: { needed: number; network: Tokens; sweeps: readonly SurveyedSweep[] },
): Promise<Survey> {
  const answers = await queryQuorum(client, needed, (node) => surveyNode(node, network, sweeps));
  const dearest = (of: (survey: Survey) => bigint) => largest(each(answers, of));
  const sun = (of: (prices: ResourcePrices) => bigint) =>
    amountIn(
      "TRX",
      dearest(({ prices }) => of(prices)),
    );
  return {
    prices: {
      energy: sun(({ energy }) => energy),
      bandwidth: sun(({ bandwidth }) => bandwidth),
      activation: sun(({ activation }) => activation),
      freeBandwidth: smallest(each(answers, ({ prices }) => prices.freeBandwidth)),
    },
    facts: sweeps.map((_, index) => dearestFacts(each(answers, ({ facts }) => facts[index] as SweepFacts))),
  };
}

function dearestFacts(answers: readonly [SweepFacts, ...SweepFacts[]]): SweepFacts {
  const least = (of: (facts: SweepFacts) => bigint) => smallest(each(answers, of));
  return {
    balance: amountFromUnits(least(({ balance }) => balance)),
    trx: amountIn(
      "TRX",
      least(({ trx }) => trx),
    ),
    isActivated: answers.every(({ isActivated }) => isActivated),
    isRecipientActivated: answers.every(({ isRecipientActivated }) => isRecipientActivated),
    energyNeeded: largest(each(answers, ({ energyNeeded }) => energyNeeded)),
    energyAvailable: least(({ energyAvailable }) => energyAvailable),
    freeBandwidth: least(({ freeBandwidth }) => freeBandwidth),
    stakedBandwidth: least(({ stakedBandwidth }) => stakedBandwidth),
    refusal: answers.find(({ refusal }) => refusal !== undefined)?.refusal,
  };
}

async function surveyNode(
  node: TronNode,
  network: Tokens,
  sweeps: readonly SurveyedSweep[],
): Promise<Survey> {
  const prices = await node.getResourcePrices();
  const refusals = new Map<string | undefined, string | undefined>();
  for (const token of new Set(sweeps.map(({ currency }) => contractOf(network, currency))))
    if (token !== undefined) refusals.set(token, await findTokenRefusal(node, token));
  const recipients = new Map<string, Promise<Recipient>>();
  const recipientOf = (destination: string, token: string | undefined): Promise<Recipient> => {
    const key = `${token} ${destination}`;
    const known = recipients.get(key) ?? checkRecipient(node, destination, token);
    recipients.set(key, known);
    return known;
  };
  const askOne = async (sweep: SurveyedSweep): Promise<SweepFacts> => {
    const token = contractOf(network, sweep.currency);
    const recipient = await recipientOf(sweep.destination, token);
    const of = await fetchFacts(node, token, sweep);
    const refusal = refusals.get(token) ?? recipient.refusal ?? of.refusal;
    return { ...of, isRecipientActivated: recipient.isActivated, refusal };
  };
  const facts: SweepFacts[] = [];
  while (facts.length < sweeps.length)
    facts.push(...(await Promise.all(sweeps.slice(facts.length, facts.length + AT_ONCE).map(askOne))));
  return { prices, facts };
}

/**
 * Why the token refuses every transfer: it is paused. Or it takes a fee, so that less would arrive than the ledger
 * books.
 */
async function findTokenRefusal(node: TronNode, token: string): Promise<string | undefined> {
  if ((await callTokenView(node, token, { view: "paused()" })) !== 0n) return "the token is paused";
  const basisPoints = await callTokenView(node, token, { view: "basisPointsRate()" });
  return basisPoints === 0n ? undefined : `the token takes a fee of ${basisPoints} basis points`;
}

type Recipient = { readonly isActivated: boolean; readonly refusal: string | undefined };

/** Checks the recipient. The token lets a blacklisted wallet receive money, which would be lost there. */
async function checkRecipient(
  node: TronNode,
  destination: string,
  token: string | undefined,
): Promise<Recipient> {
  const { isActivated, isContract } = await fetchAccount(node, destination);
  if (token === undefined)
    return { isActivated, refusal: isContract ? `the wallet ${destination} is a contract` : undefined };
  const isFrozen = await isBlacklisted(node, token, destination);
  return {
    isActivated,
    refusal: isFrozen ? `the wallet ${destination} is blacklisted by the token` : undefined,
  };
}

async function fetchFacts(
  node: TronNode,
  token: string | undefined,
  { address, destination, units }: SurveyedSweep,
): Promise<Omit<SweepFacts, "isRecipientActivated">> {
  const [account, resources] = [await fetchAccount(node, address), await fetchResources(node, address)];
  const of = {
    trx: amountIn("TRX", account.trx),
    isActivated: account.isActivated,
    energyAvailable: resources.energy,
    freeBandwidth: resources.freeBandwidth,
    stakedBandwidth: resources.stakedBandwidth,
  };
  if (token === undefined) {
    const balance = await node.getSolidBalance(address, undefined);
    return { ...of, balance: amountFromUnits(balance), energyNeeded: 0n, refusal: undefined };
  }
  const balance = await node.getSolidBalance(address, token);
  const isFrozen = await isBlacklisted(node, token, address);
  const sent = balance < units ? balance : units;
  const energy =
    isFrozen || sent === 0n
      ? 0n
      : await fetchTransferEnergy(node, { token, from: address, to: destination, units: sent });
  const reverts = energy === undefined ? "the token would revert this transfer" : undefined;
  return {
    ...of,
    balance: amountFromUnits(balance),
    energyNeeded: energy ?? 0n,
    refusal: isFrozen ? "the token has blacklisted this address" : reverts,
  };
}
