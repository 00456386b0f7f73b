import { headOf, headTimeMs, type LocalChain, solidOf } from "../chain/chain.ts";
import {
  BANDWIDTH_PRICE,
  CHAIN_PARAMETERS,
  ENERGY_PRICE,
  MAINTENANCE_MS,
} from "../chain/chain-parameters.ts";
import { blockAt } from "../chain/chain-store.ts";
import { SLOT_MS, WITNESS_COUNT } from "../chain/schedule.ts";
import type { ApiRequest } from "./api-request.ts";
import { cursorNumber } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderAddress } from "./render-text.ts";

const CODE_VERSION = "4.8.2";
/** Far enough back to meet every witness, even past a few missed slots. */
const WITNESS_LOOKBACK = 3 * WITNESS_COUNT;
const VOTES = 1_000_000n;

/** Facts about the network that both cursors answer. */
export const NETWORK_ENDPOINTS: EndpointTable = {
  listwitnesses: (chain, request) => ({
    witnesses: chain.witnesses.turns.map(({ address }) => renderWitness(chain, request, address)),
  }),
  // "<from this time on>:<sun>", comma-separated; the prices never changed here.
  getenergyprices: () => ({ prices: `0:${ENERGY_PRICE}` }),
  getbandwidthprices: () => ({ prices: `0:${BANDWIDTH_PRICE}` }),
  getnodeinfo: (chain) => ({
    block: `Num:${headOf(chain)},ID:${chain.store.ids[headOf(chain)] ?? ""}`,
    solidityBlock: `Num:${solidOf(chain)},ID:${chain.store.ids[solidOf(chain)] ?? ""}`,
    beginSyncNum: BigInt(headOf(chain)),
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: { codeVersion: CODE_VERSION, p2pVersion: "devchain" },
  }),
};

/** Facts that only a full node answers. */
export const FULL_NODE_ENDPOINTS: EndpointTable = {
  getchainparameters: () => ({
    chainParameter: CHAIN_PARAMETERS.map(([key, value]) => message({ key, value })),
  }),
  getnextmaintenancetime: (chain) => ({
    num: BigInt((Math.floor(headTimeMs(chain) / MAINTENANCE_MS) + 1) * MAINTENANCE_MS),
  }),
  // There are no peers.
  listnodes: () => ({}),
};

function renderWitness(chain: LocalChain, request: ApiRequest, addressHex: string): JsonTree {
  const latest = latestBlockOf(chain, cursorNumber(chain, request), addressHex);
  return message({
    address: renderAddress(addressHex, request.visible),
    voteCount: VOTES,
    url: `http://127.0.0.1/witness/${chain.witnesses.turns.findIndex(({ address }) => address === addressHex)}`,
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
