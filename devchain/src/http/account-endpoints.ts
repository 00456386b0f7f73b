import { freeBandwidthUsed } from "../chain/bandwidth.ts";
import { chainTimeMs, readState } from "../chain/chain.ts";
import {
  FREE_BANDWIDTH,
  TOTAL_ENERGY_LIMIT,
  TOTAL_ENERGY_WEIGHT,
  TOTAL_NET_LIMIT,
  TOTAL_NET_WEIGHT,
} from "../chain/chain-parameters.ts";
import { type Account, newAccount } from "../chain/state.ts";
import { findWitness } from "../chain/witnesses.ts";
import { addressParam } from "./api-request.ts";
import type { Endpoint, EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import {
  renderActivePermission,
  renderOwnerPermission,
  renderWitnessPermission,
} from "./render-permission.ts";
import { renderAddress } from "./render-text.ts";

/** a day in slots, times 1000 (net_window_optimized) */
const WINDOW_SIZE = 28_800_000n;

/** The account itself, on either cursor; `{}` when it was never activated. */
export const ACCOUNT_ENDPOINTS: EndpointTable = {
  getaccount: (chain, request) => {
    const address = addressParam(request, "address");
    const witness = findWitness(chain.witnesses, address);
    // A witness is somebody before anybody pays it.
    const account = readState(chain, request.cursor).account(address) ?? (witness && newAccount(0));
    if (account === undefined) return {};
    const rendered = renderAccount(account, address, request.visible);
    if (witness === undefined) return rendered;
    const permission = renderWitnessPermission(witness.signer.address, request.visible);
    return { ...rendered, is_witness: true, witness_permission: permission };
  },
};

const getaccountnet: Endpoint = (chain, request) => {
  const account = readState(chain, request.cursor).account(addressParam(request, "address"));
  return account === undefined ? {} : bandwidthFields(account, chainTimeMs(chain));
};

/** Bandwidth and energy, which only a full node offers. Nobody stakes here, so all energy is burned TRX. */
export const RESOURCE_ENDPOINTS: EndpointTable = {
  getaccountnet,
  getaccountresource: (chain, request) => {
    const account = readState(chain, request.cursor).account(addressParam(request, "address"));
    if (account === undefined) return {};
    return {
      ...bandwidthFields(account, chainTimeMs(chain)),
      TotalEnergyLimit: TOTAL_ENERGY_LIMIT,
      TotalEnergyWeight: TOTAL_ENERGY_WEIGHT,
    };
  },
};

function bandwidthFields(account: Account, timeMs: number): { [key: string]: JsonTree } {
  return message({
    freeNetUsed: BigInt(freeBandwidthUsed(account, timeMs)),
    freeNetLimit: BigInt(FREE_BANDWIDTH),
    TotalNetLimit: TOTAL_NET_LIMIT,
    TotalNetWeight: TOTAL_NET_WEIGHT,
  });
}

function renderAccount(account: Account, addressHex: string, visible: boolean): { [key: string]: JsonTree } {
  return {
    ...message({
      address: renderAddress(addressHex, visible),
      type: account.isContract ? "Contract" : "",
      balance: account.balance,
      create_time: BigInt(account.createTime),
      latest_opration_time: BigInt(account.latestOperationTime),
      free_net_usage: BigInt(account.freeNetUsed),
      latest_consume_free_time: BigInt(account.freeNetTime),
    }),
    net_window_size: WINDOW_SIZE,
    net_window_optimized: true,
    account_resource: { energy_window_size: WINDOW_SIZE, energy_window_optimized: true },
    owner_permission: renderOwnerPermission(addressHex, visible),
    active_permission: [renderActivePermission(addressHex, visible)],
    frozenV2: [{}, { type: "ENERGY" }, { type: "TRON_POWER" }],
    asset_optimized: true,
  };
}
