import type { Stake } from "../ledger/account.ts";
import { delegationBytes } from "../ledger/delegate.ts";
import { delegationKey, isNothing } from "../ledger/delegation.ts";
import { counterparts } from "../ledger/delegation-list.ts";
import { SUN_PER_TRX } from "../ledger/limits.ts";
import { delegableStake } from "../ledger/resource-limits.ts";
import { RESOURCES } from "../ledger/resource-usage.ts";
import { unfreezingsLeft, withdrawableSun } from "../ledger/stake.ts";
import { addressParam, intParam } from "./api-request.ts";
import { cursorTimeMs, requestedState } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderAddress } from "./render-text.ts";

/** Stakes, delegations and unfreezings, at either cursor. Source: java-tron Wallet. */
export const STAKE_ENDPOINTS: EndpointTable = {
  /** Delegations to one account: first the free part, then the locked one. */
  getdelegatedresourcev2: (chain, request) => {
    const [from, to] = [addressParam(request, "fromAddress"), addressParam(request, "toAddress")];
    const delegation = requestedState(chain, request).delegation(delegationKey(from, to));
    if (delegation === undefined) return {};
    const parties = { from: renderAddress(from, request.visible), to: renderAddress(to, request.visible) };
    const { expiresMs } = delegation;
    const expiry = {
      expire_time_for_bandwidth: BigInt(expiresMs.BANDWIDTH),
      expire_time_for_energy: BigInt(expiresMs.ENERGY),
    };
    return message({
      delegatedResource: [
        ...(isNothing(delegation.free) ? [] : [{ ...parties, ...delegatedFields(delegation.free) }]),
        ...(isNothing(delegation.locked)
          ? []
          : [{ ...parties, ...delegatedFields(delegation.locked), ...message(expiry) }]),
      ],
    });
  },

  /** The receivers of an account's delegations, and the owners of those that it received. */
  getdelegatedresourceaccountindexv2: (chain, request) => {
    const address = addressParam(request, "value");
    const state = requestedState(chain, request);
    const side = (name: "to" | "from") =>
      counterparts(state, address, name).map((counterpart) => renderAddress(counterpart, request.visible));
    return message({
      account: renderAddress(address, request.visible),
      fromAccounts: side("from"),
      toAccounts: side("to"),
    });
  },

  getcandelegatedmaxsize: (chain, request) => {
    const state = requestedState(chain, request);
    const account = state.account(addressParam(request, "owner_address"));
    const resource = RESOURCES[Number(intParam(request, "type"))];
    if (account === undefined || resource === undefined) return {};
    const extraUse = resource === "BANDWIDTH" ? delegationBytes(state, account) : 0;
    const nowMs = cursorTimeMs(chain, request);
    const most = delegableStake(state, account, { resource, nowMs, extraUse });
    return message({ max_size: most < SUN_PER_TRX ? 0n : most });
  },

  getavailableunfreezecount: (chain, request) => {
    const account = requestedState(chain, request).account(addressParam(request, "owner_address"));
    if (account === undefined) return {};
    return message({ count: BigInt(unfreezingsLeft(account, cursorTimeMs(chain, request))) });
  },

  getcanwithdrawunfreezeamount: (chain, request) => {
    const account = requestedState(chain, request).account(addressParam(request, "owner_address"));
    const timestamp = Number(intParam(request, "timestamp"));
    if (account === undefined || timestamp < 0) return {};
    return message({
      amount: withdrawableSun(account, timestamp === 0 ? cursorTimeMs(chain, request) : timestamp),
    });
  },
};

function delegatedFields({ BANDWIDTH, ENERGY }: Stake): { [key: string]: JsonTree } {
  return message({ frozen_balance_for_bandwidth: BANDWIDTH, frozen_balance_for_energy: ENERGY });
}
