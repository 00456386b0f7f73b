import type { NodeGroup, TronNode } from "../chain/nodes/chain-reader.ts";
import type { Currency } from "../domain/asset.ts";
import { amountFromUnits, amountIn } from "../domain/money.ts";
import type { SweepFacts } from "../domain/sweep-price.ts";
import type { ResourcePrices } from "../domain/transfer-price.ts";
import { askAccount, askResources, askToken, askTransferEnergy } from "./node-questions.ts";
import { askQuorum, each, largest, smallest } from "./quorum.ts";

/** Addresses that one node is asked about side by side: hosted nodes count the calls of a second. */
const AT_ONCE = 4;

/** A sweep that nodes are asked about. Addresses are base58. */
export type SurveyedSweep = {
  readonly address: string;
  readonly destination: string;
  readonly currency: Currency;
  readonly units: bigint;
};

type Survey = {
  readonly prices: ResourcePrices;
  /** in the order of the sweeps */
  readonly facts: readonly SweepFacts[];
};

/**
 * What the nodes say of the next batch of sweeps and of the chain's prices. Of several answers the dearer one counts: the more
 * energy, the smaller balance, and a refusal that any of them tells.
 *
 * @throws NodeError where fewer nodes answer than are needed.
 */
export async function surveySweeps(
  client: Pick<NodeGroup, "nodes">,
  { needed, token, sweeps }: { needed: number; token: string; sweeps: readonly SurveyedSweep[] },
): Promise<Survey> {
  const answers = await askQuorum(client, needed, (node) => askNode(node, token, sweeps));
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

async function askNode(node: TronNode, token: string, sweeps: readonly SurveyedSweep[]): Promise<Survey> {
  const prices = await node.getResourcePrices();
  const isToken = sweeps.some(({ currency }) => currency !== "TRX");
  const refusal = isToken ? await askRefusalOfAll(node, token) : undefined;
  const recipients = new Map<string, Promise<Recipient>>();
  const recipientOf = ({ destination, currency }: SurveyedSweep): Promise<Recipient> => {
    const key = `${currency} ${destination}`;
    const known = recipients.get(key) ?? askRecipient(node, token, { destination, currency });
    recipients.set(key, known);
    return known;
  };
  const facts: SweepFacts[] = [];
  while (facts.length < sweeps.length) {
    const some = sweeps.slice(facts.length, facts.length + AT_ONCE);
    facts.push(
      ...(await Promise.all(
        some.map(async (sweep) => {
          const recipient = await recipientOf(sweep);
          const of = await askSweep(node, token, sweep);
          return {
            ...of,
            isRecipientActivated: recipient.isActivated,
            refusal: (sweep.currency === "TRX" ? undefined : refusal) ?? recipient.refusal ?? of.refusal,
          };
        }),
      )),
    );
  }
  return { prices, facts };
}

/** Why the token lets nobody through: it is paused, or it takes a fee of its own, by which less would arrive than the ledger says. */
async function askRefusalOfAll(node: TronNode, token: string): Promise<string | undefined> {
  if ((await askToken(node, token, { view: "paused()" })) !== 0n) return "the token is paused";
  const basisPoints = await askToken(node, token, { view: "basisPointsRate()" });
  return basisPoints === 0n ? undefined : `the token takes a fee of ${basisPoints} basis points`;
}

type Recipient = { readonly isActivated: boolean; readonly refusal: string | undefined };

/** The token lets a frozen wallet be paid, where the money would be lost. */
async function askRecipient(
  node: TronNode,
  token: string,
  { destination, currency }: Pick<SurveyedSweep, "destination" | "currency">,
): Promise<Recipient> {
  const { isActivated, isContract } = await askAccount(node, destination);
  if (isContract && currency === "TRX")
    return { isActivated, refusal: `the wallet ${destination} is a contract` };
  const isFrozen =
    currency !== "TRX" &&
    (await askToken(node, token, { view: "isBlackListed(address)", address: destination })) !== 0n;
  return {
    isActivated,
    refusal: isFrozen ? `the wallet ${destination} is blacklisted by the token` : undefined,
  };
}

async function askSweep(
  node: TronNode,
  token: string,
  { address, destination, currency, units }: SurveyedSweep,
): Promise<Omit<SweepFacts, "isRecipientActivated">> {
  const [account, resources] = [await askAccount(node, address), await askResources(node, address)];
  const of = {
    trx: amountIn("TRX", account.trx),
    isActivated: account.isActivated,
    energyAvailable: resources.energy,
    freeBandwidth: resources.freeBandwidth,
    stakedBandwidth: resources.stakedBandwidth,
  };
  if (currency === "TRX") {
    const balance = await node.getSolidBalance(address, undefined);
    return { ...of, balance: amountFromUnits(balance), energyNeeded: 0n, refusal: undefined };
  }
  const balance = await node.getSolidBalance(address, token);
  const isFrozen = (await askToken(node, token, { view: "isBlackListed(address)", address })) !== 0n;
  const sent = balance < units ? balance : units;
  const energy =
    isFrozen || sent === 0n
      ? 0n
      : await askTransferEnergy(node, { token, from: address, to: destination, units: sent });
  const reverts = energy === undefined ? "the token would revert this transfer" : undefined;
  return {
    ...of,
    balance: amountFromUnits(balance),
    energyNeeded: energy ?? 0n,
    refusal: isFrozen ? "the token has blacklisted this address" : reverts,
  };
}
