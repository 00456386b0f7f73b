import { PERMISSION_SHAPE } from "@daric/tron/contract-shapes";
import type { LocalChain } from "../chain/chain.ts";
import { findWitness } from "../chain/witnesses.ts";
import { type Account, newAccount, ownStake, usableStake } from "../ledger/account.ts";
import { addressOfId } from "../ledger/account-names.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { SUN_PER_TRX } from "../ledger/limits.ts";
import { permissionsOf, witnessPermission } from "../ledger/permissions.ts";
import { resourceLimit, totalLimit, totalWeight } from "../ledger/resource-limits.ts";
import { RESOURCES, usedAt, useResource } from "../ledger/resource-usage.ts";
import type { StateReader } from "../ledger/state.ts";
import { type ApiRequest, addressParam, nameParam } from "./api-request.ts";
import { cursorTimeMs, requestedState } from "./block-endpoints.ts";
import type { Endpoint, EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderMessage } from "./message-json.ts";
import { renderAddress, renderName } from "./render-text.ts";

type Fields = { [key: string]: JsonTree };

/** An account at either cursor; `{}` if it was never activated. */
export const ACCOUNT_ENDPOINTS: EndpointTable = {
  getaccount: (chain, request) => showAccount(chain, request, addressParam(request, "address")),
  getaccountbyid: (chain, request) => {
    const address = addressOfId(requestedState(chain, request), nameParam(request, "account_id"));
    return address === undefined ? {} : showAccount(chain, request, address);
  },
};

function showAccount(chain: LocalChain, request: ApiRequest, address: string): Fields {
  const witness = findWitness(chain.witnesses, address);
  // A witness has an account before its first payment.
  const account = requestedState(chain, request).account(address) ?? (witness && newAccount(0));
  if (account === undefined) return {};
  const rendered = renderAccount(account, address, {
    nowMs: cursorTimeMs(chain, request),
    visible: request.visible,
  });
  if (witness === undefined) return rendered;
  const permission = witnessPermission(witness.signer.address);
  return {
    ...rendered,
    is_witness: true,
    witness_permission: renderMessage(PERMISSION_SHAPE, permission, request.visible),
  };
}

const getaccountnet: Endpoint = (chain, request) => {
  const state = requestedState(chain, request);
  const account = state.account(addressParam(request, "address"));
  return account === undefined ? {} : bandwidthFields(state, account, cursorTimeMs(chain, request));
};

/** Bandwidth and energy, on full nodes only. */
export const RESOURCE_ENDPOINTS: EndpointTable = {
  getaccountnet,
  getaccountresource: (chain, request) => {
    const state = requestedState(chain, request);
    const account = state.account(addressParam(request, "address"));
    if (account === undefined) return {};
    const nowMs = cursorTimeMs(chain, request);
    const tronPower = RESOURCES.reduce((sun, resource) => sun + ownStake(account, resource), 0n);
    return {
      ...bandwidthFields(state, account, nowMs),
      ...message({
        tronPowerLimit: tronPower / SUN_PER_TRX,
        EnergyUsed: BigInt(usedAt(account.usage.ENERGY, nowMs)),
        EnergyLimit: BigInt(resourceLimit(state, usableStake(account, "ENERGY"), "ENERGY")),
        TotalEnergyLimit: totalLimit(state, "ENERGY"),
        TotalEnergyWeight: totalWeight(state, "ENERGY"),
      }),
    };
  },
};

function bandwidthFields(state: StateReader, account: Account, nowMs: number): Fields {
  return message({
    freeNetUsed: BigInt(usedAt(account.freeNet, nowMs)),
    freeNetLimit: chainParameter(state, "getFreeNetLimit"),
    NetUsed: BigInt(usedAt(account.usage.BANDWIDTH, nowMs)),
    NetLimit: BigInt(resourceLimit(state, usableStake(account, "BANDWIDTH"), "BANDWIDTH")),
    TotalNetLimit: totalLimit(state, "BANDWIDTH"),
    TotalNetWeight: totalWeight(state, "BANDWIDTH"),
  });
}

function renderAccount(
  account: Account,
  addressHex: string,
  { nowMs, visible }: { readonly nowMs: number; readonly visible: boolean },
): Fields {
  const { usage, freeNet, delegated, acquired } = account;
  // Usage is as of the block, times are those of the last use.
  const net = useResource(usage.BANDWIDTH, 0, nowMs);
  const energy = useResource(usage.ENERGY, 0, nowMs);
  return {
    ...message({
      account_name: renderName(account.name, visible),
      address: renderAddress(addressHex, visible),
      type: account.isContract ? "Contract" : "",
      balance: account.balance,
      net_usage: BigInt(net.used),
      create_time: BigInt(account.createTime),
      latest_opration_time: BigInt(account.latestOperationTime),
      free_net_usage: BigInt(usedAt(freeNet, nowMs)),
      latest_consume_time: BigInt(usage.BANDWIDTH.timeMs),
      latest_consume_free_time: BigInt(freeNet.timeMs),
      delegated_frozenV2_balance_for_bandwidth: delegated.BANDWIDTH,
      acquired_delegated_frozenV2_balance_for_bandwidth: acquired.BANDWIDTH,
    }),
    net_window_size: BigInt(net.window),
    net_window_optimized: true,
    account_resource: {
      ...message({
        energy_usage: BigInt(energy.used),
        latest_consume_time_for_energy: BigInt(usage.ENERGY.timeMs),
        delegated_frozenV2_balance_for_energy: delegated.ENERGY,
        acquired_delegated_frozenV2_balance_for_energy: acquired.ENERGY,
      }),
      energy_window_size: BigInt(energy.window),
      energy_window_optimized: true,
    },
    ...(!account.isContract && renderPermissions(account, addressHex, visible)),
    frozenV2: [
      message({ amount: account.frozen.BANDWIDTH }),
      { type: "ENERGY", ...message({ amount: account.frozen.ENERGY }) },
      { type: "TRON_POWER" },
    ],
    ...message({
      unfrozenV2: account.unfreezing.map(({ resource, amount, expiresMs }) =>
        message({
          type: resource === "BANDWIDTH" ? "" : resource,
          unfreeze_amount: amount,
          unfreeze_expire_time: BigInt(expiresMs),
        }),
      ),
    }),
    ...message({ account_id: renderName(account.id, visible) }),
    asset_optimized: true,
  };
}

function renderPermissions(account: Account, addressHex: string, visible: boolean): Fields {
  const { owner, actives } = permissionsOf(account, addressHex);
  return {
    owner_permission: renderMessage(PERMISSION_SHAPE, owner, visible),
    active_permission: actives.map((active) => renderMessage(PERMISSION_SHAPE, active, visible)),
  };
}
