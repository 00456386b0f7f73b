import { buildTransaction } from "../chain/build-transaction.ts";
import { headTimeMs, type LocalChain, readState } from "../chain/chain.ts";
import type { SystemKind } from "../ledger/actuator.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { validateSystemContract } from "../ledger/system-contracts.ts";
import { ACCOUNT_ENDPOINTS, RESOURCE_ENDPOINTS } from "./account-endpoints.ts";
import { answerWithFaults, type NodeQuestion } from "./answer-with-faults.ts";
import { type ApiRequest, intParam, memoParam, RequestRefusal } from "./api-request.ts";
import { BLOCK_ENDPOINTS } from "./block-endpoints.ts";
import { CONSTANT_CALL_ENDPOINTS, CONTRACT_ENDPOINTS } from "./contract-endpoints.ts";
import { EMPTY_LISTS, EMPTY_LISTS_OF_FULL_NODES } from "./empty-lists.ts";
import type { Endpoint, EndpointTable } from "./endpoint.ts";
import { type Faults, falsifyAnswer } from "./faults.ts";
import type { HttpAnswer, HttpCall } from "./http-server.ts";
import { jsonText, parseJsonObject } from "./json-text.ts";
import { FULL_NODE_ENDPOINTS, NETWORK_ENDPOINTS } from "./network-endpoints.ts";
import { readContract } from "./read-transaction.ts";
import { renderTransaction } from "./render-transaction.ts";
import { SIGNATURE_ENDPOINTS } from "./signature-endpoints.ts";
import { STAKE_ENDPOINTS } from "./stake-endpoints.ts";
import { BROADCAST_ENDPOINTS, TRANSACTION_ENDPOINTS } from "./transaction-endpoints.ts";

/** Builds transactions of system contracts from the request's fields, on full nodes only. */
const BUILD_ENDPOINTS: EndpointTable = {
  createtransaction: builder("transfer"),
  updateaccount: builder("accountUpdate"),
  setaccountid: builder("accountId"),
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

/** The endpoints on both ports: /wallet at the head, /walletsolidity at the solid block. */
const SOLIDITY_API: EndpointTable = {
  ...BLOCK_ENDPOINTS,
  ...TRANSACTION_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...CONSTANT_CALL_ENDPOINTS,
  ...NETWORK_ENDPOINTS,
  ...STAKE_ENDPOINTS,
  ...EMPTY_LISTS,
};

const FULL_NODE_API: EndpointTable = {
  ...SOLIDITY_API,
  ...RESOURCE_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...BUILD_ENDPOINTS,
  ...BROADCAST_ENDPOINTS,
  ...SIGNATURE_ENDPOINTS,
  ...FULL_NODE_ENDPOINTS,
  ...EMPTY_LISTS_OF_FULL_NODES,
};

const APIS = { wallet: FULL_NODE_API, walletsolidity: SOLIDITY_API } as const;

type Family = keyof typeof APIS;

export type NodeTarget = { readonly chain: LocalChain; readonly faults: Faults };

/** Answers /wallet and /walletsolidity; undefined for any other path. */
export function answerNodeApi({ chain, faults }: NodeTarget, call: HttpCall): HttpAnswer | undefined {
  const [, family = ""] = call.path.split("/");
  if (!isFamily(family)) return undefined;
  const path = call.path.toLowerCase();
  const endpoint = endpointAt(path);
  if (endpoint === undefined) return errorAnswer(404, `${call.path} is not supported by this chain`);
  const nodeRequest = { path, name: path.split("/").at(-1) ?? "", endpoint };
  return falsifyAnswer(faults, path, answerQuestion(chain, faults, { call, family, nodeRequest }));
}

export function isNodePath(path: string): boolean {
  return endpointAt(path) !== undefined;
}

function isFamily(family: string): family is Family {
  return Object.hasOwn(APIS, family);
}

function endpointAt(path: string): Endpoint | undefined {
  const [start, family = "", name = "", ...rest] = path.split("/");
  if (start !== "" || !isFamily(family) || rest.length > 0) return undefined;
  const api: EndpointTable = APIS[family];
  return Object.hasOwn(api, name) ? api[name] : undefined;
}

function answerQuestion(
  chain: LocalChain,
  faults: Faults,
  {
    call,
    family,
    nodeRequest,
  }: { call: HttpCall; family: Family; nodeRequest: Omit<NodeQuestion, "request"> },
): HttpAnswer {
  try {
    const request = readRequest(call, family === "wallet" ? "head" : "solid");
    const int64AsString = call.method === "GET" && call.query.get("int64_as_string") === "true";
    const tree = answerWithFaults(chain, faults, { ...nodeRequest, request });
    return { status: 200, body: jsonText(tree, { int64AsString }) };
  } catch (error) {
    if (!(error instanceof RequestRefusal)) throw error;
    return errorAnswer(
      200,
      error.javaClass === "" ? error.message : `class ${error.javaClass} : ${error.message}`,
    );
  }
}

export function errorAnswer(status: number, text: string): HttpAnswer {
  return { status, body: jsonText({ Error: text }) };
}

/** Parameters come from the query of GET, and from the JSON body of POST with any content type. */
function readRequest(call: HttpCall, cursor: ApiRequest["cursor"]): ApiRequest {
  const params = call.method === "GET" ? Object.fromEntries(call.query) : parseBody(call.body);
  const { visible } = params;
  return { params, visible: visible === true || visible === "true", cursor };
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  const body = parseJsonObject(text);
  if (body !== undefined) return body;
  throw new RequestRefusal("com.alibaba.fastjson.JSONException", "the body must be a JSON object");
}
