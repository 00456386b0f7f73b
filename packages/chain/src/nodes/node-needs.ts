import { assets, contractField, type TokenCurrency, tokenCurrencies } from "@daric/domain/asset";
import { IncompleteBlockError } from "../blocks/node-error.ts";
import { contractOf, type Network } from "./networks.ts";
import type { NodeProbe } from "./node-probe.ts";
import { parseTokenDecimals } from "./parse-contract-call.ts";
import { chainSettings } from "./settings.ts";

/** The result for one need. `unknown`: the recent blocks did not show it. */
export type Finding = {
  readonly need: string;
  readonly verdict: "ok" | "poor" | "missing" | "unknown";
  readonly detail: string;
  readonly advice: string | null;
};

export type FoundNeed = Pick<Finding, "verdict" | "detail"> & { readonly advice?: string };
type Need = {
  readonly need: string;
  readonly advice: string;
  readonly find: (probe: NodeProbe) => Promise<FoundNeed>;
};

const { nodeUrls, solidityUrls, network: networkSetting } = chainSettings;
const SLOT_MS = 3_000;
/** Twenty slots: a node further behind shows payments late. */
export const MAX_AGE_MS = 60_000;
export const MAX_AHEAD_MS = 60_000;
const SOLID_LAG = 18;
const MAX_SOLID_LAG = 100;
/** On a public network some of this many contract calls have internal transactions. */
const MANY_CALLS = 200;
const SLOW_MS = 1_000;
/** In blocks: an hour of downtime is caught up from here, and longer ones need more. */
const DEPTHS = [
  { text: "an hour", blocks: 1_200 },
  { text: "a day", blocks: 28_800 },
  { text: "a week", blocks: 201_600 },
] as const;

const ok = (detail: string): FoundNeed => ({ verdict: "ok", detail });
const poor = (detail: string): FoundNeed => ({ verdict: "poor", detail });
const missing = (detail: string): FoundNeed => ({ verdict: "missing", detail });
const unknown = (detail: string, advice: string): FoundNeed => ({ verdict: "unknown", detail, advice });
export const INTERNALS_NEED = "internal transactions";
export const INTERNALS_ADVICE = "set vm.saveInternalTx = true: without it TRX sent by contracts is not seen";
const INFOS_ADVICE = "turn storage.transHistory.switch on, and do not use a lite node without its history";
const onceRun = (advice: string): string =>
  `check again when contracts have run; if there are none even then: ${advice}`;
/** A devnet's blocks are mined on command, with any time. */
const isAtCommand = ({ name }: Network): boolean => name === "devnet";
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

/** Every need of the service, in the order in which an operator fixes them. */
export const nodeNeeds: readonly Need[] = [
  {
    need: "network",
    advice: `${networkSetting.env} or ${nodeUrls.env} names another network`,
    find: async ({ node, network }) => {
      const id = await node.getGenesisId();
      return id === network.genesisId ? ok(`of ${network.name}`) : missing(`its block 0 is ${id}`);
    },
  },
  ...tokenCurrencies.map(tokenNeed),
  {
    need: "head",
    advice: "wait until the node has caught up, or look why it does not",
    find: async ({ head, network }) => {
      const { number, timeMs, seenMs } = await head();
      if (isAtCommand(network)) return ok(`block ${number}`);
      const ageMs = Math.max(0, seenMs - timeMs);
      const detail = `block ${number}, ${seconds(ageMs)} old`;
      return ageMs <= MAX_AGE_MS ? ok(detail) : missing(detail);
    },
  },
  {
    need: "clock",
    advice: "set this machine's clock (NTP)",
    find: async ({ head, network }) => {
      const { timeMs, seenMs } = await head();
      const aheadMs = timeMs - seenMs;
      if (aheadMs <= 0 || isAtCommand(network)) return ok("the head is not ahead of this machine's clock");
      const detail = `the head is ${seconds(aheadMs)} ahead of this machine's clock`;
      return aheadMs > MAX_AHEAD_MS ? missing(detail) : aheadMs > SLOT_MS ? poor(detail) : ok(detail);
    },
  },
  {
    need: "solid blocks",
    advice: `set ${solidityUrls.env} to the URL where the node serves them: port 8091 of a java-tron`,
    find: async ({ node, head }) => {
      const [solid, { number }] = [await node.getSolidBlock(), await head()];
      const lag = number - solid.number;
      const detail = `block ${solid.number}, ${lag} behind the head`;
      if (lag > MAX_SOLID_LAG) return missing(detail);
      return lag >= SOLID_LAG
        ? ok(detail)
        : poor(`${detail}: fewer than ${SOLID_LAG} is what one witness alone shows`);
    },
  },
  {
    need: "infos of contract calls",
    advice: INFOS_ADVICE,
    find: async ({ recent }) => {
      const { blocks, contractCalls } = await recent();
      const detail = `${contractCalls} contract calls in ${blocks} blocks`;
      return contractCalls > 0 ? ok(detail) : unknown(detail, onceRun(INFOS_ADVICE));
    },
  },
  {
    need: INTERNALS_NEED,
    advice: INTERNALS_ADVICE,
    find: async ({ recent }) => {
      const { internalTransactions, contractCalls } = await recent();
      const detail = `${internalTransactions} in ${contractCalls} contract calls`;
      if (internalTransactions > 0) return ok(detail);
      return contractCalls >= MANY_CALLS ? missing(detail) : unknown(detail, onceRun(INTERNALS_ADVICE));
    },
  },
  {
    need: "solid accounts",
    advice: "let the node serve /walletsolidity/getaccount",
    find: async (probe) => {
      if (await isTokenSolid(probe)) return ok("served");
      // A new token is in no solid block yet, but a witness always has an account.
      const { witnessHex: address } = await probe.node.getSolidBlock();
      const account = await probe.fetchAnswer("/walletsolidity/getaccount", { address });
      return account.address === address ? ok("served") : missing("a witness has no account there");
    },
  },
  {
    need: "solid balances",
    advice: "let the node serve /walletsolidity/triggerconstantcontract (vm.supportConstant = true)",
    find: async (probe) => {
      if (!(await isTokenSolid(probe)))
        return unknown("no token contract is in a solid block yet", "check again in a minute or two");
      const [token] = probe.network.tokens;
      if (token === undefined) return missing("no token is accepted");
      const { currency, contractHex: contract } = token;
      const params = { owner_address: contract, contract_address: contract, function_selector: "decimals()" };
      const answer = await probe.fetchAnswer("/walletsolidity/triggerconstantcontract", params);
      return parseTokenDecimals(answer) === assets[currency].decimals
        ? ok("served")
        : missing(`no ${currency} contract there`);
    },
  },
  {
    need: "old blocks",
    advice: "a node that keeps fewer cannot show what was paid while Daric was away for longer",
    find: findDepth,
  },
  {
    need: "speed",
    advice: "use a node that is nearer, or one with less to do",
    find: async ({ head, callMs }) => {
      await head();
      const middle = callMs.toSorted((a, b) => a - b)[Math.floor(callMs.length / 2)] ?? 0;
      const detail = `${Math.round(middle)} ms a call, the middle of ${callMs.length}`;
      return middle <= SLOW_MS ? ok(detail) : poor(detail);
    },
  },
];

function tokenNeed(currency: TokenCurrency): Need {
  const { decimals: wanted } = assets[currency];
  return {
    need: currency,
    advice: `${chainSettings[contractField(currency)].env} must name a token with ${wanted} decimals of this chain, which the node has read so far`,
    find: async ({ node, network }) => {
      const contract = contractOf(network, currency);
      if (contract === undefined) return ok(`not accepted on ${network.name}`);
      const decimals = await node.getTokenDecimals(contract);
      if (decimals === undefined) return missing(`${contract} is no token that the node knows`);
      const detail = `${contract} has ${decimals} decimals`;
      return decimals === wanted ? ok(detail) : missing(detail);
    },
  };
}

async function isTokenSolid({ fetchAnswer, network }: NodeProbe): Promise<boolean> {
  const address = network.tokens[0]?.contractHex;
  if (address === undefined) return false;
  return (await fetchAnswer("/walletsolidity/getaccount", { address })).address === address;
}

async function findDepth({ node, head }: NodeProbe): Promise<FoundNeed> {
  const { number } = await head();
  let kept: string | undefined;
  for (const { text, blocks } of DEPTHS) {
    const oldest = Math.max(1, number - blocks);
    try {
      await node.fetchCompleteBlock(oldest);
    } catch (error) {
      if (!(error instanceof IncompleteBlockError)) throw error;
      return kept === undefined ? missing(`not ${text}: ${error.message}`) : poor(`${kept}, not ${text}`);
    }
    if (oldest === 1) return ok("all of them");
    kept = text;
  }
  return ok(`${kept} and perhaps more`);
}
