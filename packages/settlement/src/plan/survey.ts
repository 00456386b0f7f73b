import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { callTokenView, fetchAccount, isBlacklisted } from "@daric/chain/nodes/fetch-account";
import { contractOf, type Network } from "@daric/chain/nodes/networks";
import { digestPermissions } from "@daric/chain/nodes/wallet-permissions";
import type { Currency } from "@daric/domain/asset";
import { amountFromUnits, amountIn } from "@daric/domain/money";
import type { ResourcePrices, SweepFacts } from "@daric/domain/sweep-price";
import type { ChainView, PlanningContext } from "../context.ts";
import { fetchResources, fetchTransferEnergy } from "../node-calls.ts";
import { querySettled, type SettledAnswers } from "../solid-reach.ts";
import { findConfirmedKeys, type SweptTo, walletKey } from "../wallet-store.ts";

/** Addresses that one node is queried about in parallel: hosted nodes limit the calls per second. */
const AT_ONCE = 4;

/** A sweep that nodes are queried about. Addresses are base58. */
export type SurveyedSweep = SweptTo & {
  readonly address: string;
  readonly currency: Currency;
  readonly units: bigint;
};

type Tokens = Pick<Network, "tokens">;

/** A sweep, and the keys that may move its recipient's money, as persons confirmed them. */
type Question = SurveyedSweep & { readonly confirmed: readonly string[] };

/**
 * The nodes' facts about the next sweeps, in their order. Of several answers that one counts which enough nodes agree
 * on, or which is more expensive.
 *
 * @throws NodeError if fewer nodes answer than are needed.
 */
export async function surveySweeps(
  context: PlanningContext,
  settling: ChainView,
  sweeps: readonly SurveyedSweep[],
): Promise<SweepFacts[]> {
  const confirmed = new Map<string, readonly string[]>();
  for (const sweep of sweeps) {
    const key = walletKey(sweep);
    if (!confirmed.has(key)) confirmed.set(key, await findConfirmedKeys(context.db, sweep));
  }
  const questions = sweeps.map((sweep) => ({
    ...sweep,
    confirmed: confirmed.get(walletKey(sweep)) ?? [],
  }));
  const answers = await querySettled(context, settling, (node) =>
    surveyNode(node, settling.network, questions),
  );
  return sweeps.map((_, index) => agreedFacts(answers, (facts) => facts[index] as SweepFacts));
}

function agreedFacts<T>({ all, ...answers }: SettledAnswers<T>, of: (answer: T) => SweepFacts): SweepFacts {
  const least = (read: (facts: SweepFacts) => bigint) => answers.least((answer) => read(of(answer)));
  const isRefused = !answers.agree((answer) => of(answer).refusal === undefined);
  return {
    balance: amountFromUnits(least(({ balance }) => balance)),
    trx: amountIn(
      "TRX",
      least(({ trx }) => trx),
    ),
    isActivated: answers.agree((answer) => of(answer).isActivated),
    isRecipientActivated: answers.agree((answer) => of(answer).isRecipientActivated),
    isRecipientConfirmed: answers.agree((answer) => of(answer).isRecipientConfirmed),
    energyNeeded: answers.most((answer) => of(answer).energyNeeded),
    energyAvailable: least(({ energyAvailable }) => energyAvailable),
    freeBandwidth: least(({ freeBandwidth }) => freeBandwidth),
    stakedBandwidth: least(({ stakedBandwidth }) => stakedBandwidth),
    refusal: isRefused
      ? all.map((answer) => of(answer).refusal).find((reason) => reason !== undefined)
      : undefined,
  };
}

/** The chain's prices. The more expensive answer counts, as in {@link surveySweeps}. */
export async function fetchPrices(
  context: Pick<PlanningContext, "config">,
  settling: Parameters<typeof querySettled>[1],
): Promise<ResourcePrices> {
  const answers = await querySettled(context, settling, (node) => node.getResourcePrices());
  const most = (of: (prices: ResourcePrices) => bigint) => amountIn("TRX", answers.most(of));
  return {
    energy: most(({ energy }) => energy),
    bandwidth: most(({ bandwidth }) => bandwidth),
    activation: most(({ activation }) => activation),
    freeBandwidth: answers.least(({ freeBandwidth }) => freeBandwidth),
  };
}

async function surveyNode(
  node: TronNode,
  network: Tokens,
  sweeps: readonly Question[],
): Promise<SweepFacts[]> {
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
  const askOne = async (sweep: Question): Promise<SweepFacts> => {
    const token = contractOf(network, sweep.currency);
    const recipient = await recipientOf(sweep.destination, token);
    const fetched = await fetchFacts(node, token, sweep);
    const refusal = refusals.get(token) ?? recipient.refusal ?? fetched.refusal;
    const isRecipientConfirmed = sweep.confirmed.every((digest) => digest === recipient.permissions);
    return { ...fetched, isRecipientActivated: recipient.isActivated, isRecipientConfirmed, refusal };
  };
  const facts: SweepFacts[] = [];
  while (facts.length < sweeps.length)
    facts.push(...(await Promise.all(sweeps.slice(facts.length, facts.length + AT_ONCE).map(askOne))));
  return facts;
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

type Recipient = {
  readonly isActivated: boolean;
  readonly permissions: string;
  readonly refusal: string | undefined;
};

/** Checks the recipient. The token lets a blacklisted wallet receive money, which would be lost there. */
async function checkRecipient(
  node: TronNode,
  destination: string,
  token: string | undefined,
): Promise<Recipient> {
  const account = await fetchAccount(node, destination);
  const { isActivated, isContract } = account;
  const permissions = digestPermissions(destination, account.permissions);
  if (token === undefined) {
    const refusal = isContract ? `the wallet ${destination} is a contract` : undefined;
    return { isActivated, permissions, refusal };
  }
  const isFrozen = await isBlacklisted(node, token, destination);
  return {
    isActivated,
    permissions,
    refusal: isFrozen ? `the wallet ${destination} is blacklisted by the token` : undefined,
  };
}

async function fetchFacts(
  node: TronNode,
  token: string | undefined,
  { address, destination, units }: SurveyedSweep,
): Promise<Omit<SweepFacts, "isRecipientActivated" | "isRecipientConfirmed">> {
  const [account, resources] = [await fetchAccount(node, address), await fetchResources(node, address)];
  const known = {
    trx: amountIn("TRX", account.trx),
    isActivated: account.isActivated,
    energyAvailable: resources.energy,
    freeBandwidth: resources.freeBandwidth,
    stakedBandwidth: resources.stakedBandwidth,
  };
  if (token === undefined) {
    const balance = await node.getSolidBalance(address, undefined);
    return { ...known, balance: amountFromUnits(balance), energyNeeded: 0n, refusal: undefined };
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
    ...known,
    balance: amountFromUnits(balance),
    energyNeeded: energy ?? 0n,
    refusal: isFrozen ? "the token has blacklisted this address" : reverts,
  };
}
