import { addressFromText } from "@daric/tron/address";
import { headOf, headTimeMs, type LocalChain } from "../chain/chain.ts";
import { blockAt } from "../chain/chain-store.ts";
import { productionOf } from "../chain/production.ts";
import { solidNumber, WITNESS_COUNT } from "../chain/schedule.ts";
import { chainParameter, PARAMETER_NAMES } from "../ledger/chain-parameters.ts";
import { MAINTENANCE_MS, SLOT_MS } from "../ledger/limits.ts";
import { priceHistory } from "../ledger/settings.ts";
import { type ApiRequest, intParam, RequestRefusal, textParam } from "./api-request.ts";
import { cursorNumber, requestedState } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderAddress } from "./render-text.ts";

const CODE_VERSION = "4.8.2";
/** Enough blocks to find one of every witness, even after a few missed slots. */
const WITNESS_LOOKBACK = 3 * WITNESS_COUNT;
const VOTES = 1_000_000n;
/** percent of the rewards that a witness keeps until it sets another share */
const FIRST_BROKERAGE = 20n;

/** Facts about the network, at both cursors. */
export const NETWORK_ENDPOINTS: EndpointTable = {
  listwitnesses: (chain, request) => ({ witnesses: renderWitnesses(chain, request) }),
  /** A part of the list, ordered by votes, which are equal here; `{}` beyond its end. */
  getpaginatednowwitnesslist: (chain, request) => {
    const [offset, limit] = [Number(intParam(request, "offset")), Number(intParam(request, "limit"))];
    if (offset < 0 || offset >= chain.witnesses.turns.length || limit <= 0) return {};
    return { witnesses: renderWitnesses(chain, request).slice(offset, offset + limit) };
  },
  /** There are no votes here, so no account has a reward. */
  getreward: (_, request) => {
    requireAnyAddress(request);
    return { reward: 0n };
  },
  getbrokerage: (_, request) => {
    requireAnyAddress(request);
    return { brokerage: FIRST_BROKERAGE };
  },
  getenergyprices: (chain, request) => ({
    prices: priceHistory(requestedState(chain, request), "getEnergyFee"),
  }),
  getbandwidthprices: (chain, request) => ({
    prices: priceHistory(requestedState(chain, request), "getTransactionFee"),
  }),
  getnodeinfo: (chain, { cursor, asOf }) => ({
    ...syncState(chain, (cursor === "head" ? asOf : undefined) ?? headOf(chain)),
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: { codeVersion: CODE_VERSION, p2pVersion: "devchain" },
  }),
};

/** Facts that only full nodes have. */
export const FULL_NODE_ENDPOINTS: EndpointTable = {
  getchainparameters: (chain, request) => {
    const state = requestedState(chain, request);
    return {
      chainParameter: PARAMETER_NAMES.map((key) => message({ key, value: chainParameter(state, key) })),
    };
  },
  getnextmaintenancetime: (chain) => ({
    num: BigInt((Math.floor(headTimeMs(chain) / MAINTENANCE_MS) + 1) * MAINTENANCE_MS),
  }),
  listnodes: () => ({}),
};

/** These endpoints take both forms of an address, whatever `visible` says. @throws RequestRefusal for neither form. */
function requireAnyAddress(request: ApiRequest): void {
  const text = textParam(request, "address");
  if (text !== "" && addressFromText(text) === undefined)
    throw new RequestRefusal("", "INVALID address, a checksum or a length is wrong");
}

/** The heights of a node, whose solid block is always that of its head here. */
function syncState({ store }: LocalChain, head: number) {
  const nameOf = (number: number) => `Num:${number},ID:${store.ids[number] ?? ""}`;
  return { block: nameOf(head), solidityBlock: nameOf(solidNumber(head)), beginSyncNum: BigInt(head) };
}

function renderWitnesses(chain: LocalChain, request: ApiRequest): JsonTree[] {
  const { turns } = chain.witnesses;
  const head = cursorNumber(chain, request);
  const { produced, missed } = productionOf(chain.store.timestamps, head, turns.length);
  return turns.map(({ address }, turn) =>
    renderWitness(latestBlockOf(chain, head, address), {
      address: renderAddress(address, request.visible),
      voteCount: VOTES,
      url: `http://127.0.0.1/witness/${turn}`,
      totalProduced: BigInt(produced[turn] ?? 0),
      totalMissed: BigInt(missed[turn] ?? 0),
    }),
  );
}

function renderWitness(
  latest: { readonly number: number; readonly timestamp: number } | undefined,
  fields: Readonly<Record<string, JsonTree>>,
): JsonTree {
  return message({
    ...fields,
    latestBlockNum: latest && BigInt(latest.number),
    latestSlotNum: latest && BigInt(latest.timestamp / SLOT_MS),
    isJobs: true,
  });
}

function latestBlockOf(
  chain: LocalChain,
  from: number,
  witness: string,
): { number: number; timestamp: number } | undefined {
  for (let number = from; number > Math.max(0, from - WITNESS_LOOKBACK); number -= 1) {
    const header = blockAt(chain.store, number)?.block.header;
    if (header?.witnessAddress === witness) return header;
  }
  return undefined;
}
