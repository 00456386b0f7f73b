import { buildTransaction } from "../chain/build-transaction.ts";
import { headTimeMs, readState } from "../chain/chain.ts";
import type { SystemKind } from "../ledger/actuator.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { validateSystemContract } from "../ledger/system-contracts.ts";
import { intParam, memoParam, RequestRefusal } from "./api-request.ts";
import type { Endpoint, EndpointTable } from "./endpoint.ts";
import { readContract } from "./read-transaction.ts";
import { renderTransaction } from "./render-transaction.ts";

/** Builds transactions of system contracts from the request's fields, on full nodes only. */
export const BUILD_ENDPOINTS: EndpointTable = {
  createtransaction: builder("transfer"),
  freezebalancev2: builder("freeze"),
  unfreezebalancev2: builder("unfreeze"),
  withdrawexpireunfreeze: builder("withdrawUnfrozen"),
  cancelallunfreezev2: builder("cancelUnfreeze"),
  delegateresource: builder("delegate"),
  undelegateresource: builder("undelegate"),
  accountpermissionupdate: builder("permissionUpdate"),
};

/** A node checks only the rules of the contract, not the cost of its bandwidth. */
function builder<Kind extends SystemKind>(kind: Kind): Endpoint {
  return (chain, request) => {
    const contract = readContract(kind, request.params, request.visible);
    try {
      const context = { nowMs: headTimeMs(chain), isBuilding: true };
      validateSystemContract(readState(chain, "head"), contract, context);
    } catch (error) {
      if (!(error instanceof BroadcastRefusal)) throw error;
      throw new RequestRefusal("org.tron.core.exception.ContractValidateException", error.detail);
    }
    const permissionId = Number(intParam(request, "Permission_id"));
    const transaction = buildTransaction(chain, contract, { permissionId, memo: memoParam(request) });
    return { visible: request.visible, ...renderTransaction(transaction, request.visible) };
  };
}
