import type { LocalChain } from "../chain/chain.ts";
import { ACCOUNT_ENDPOINTS, RESOURCE_ENDPOINTS } from "./account-endpoints.ts";
import { type ApiRequest, RequestRefusal } from "./api-request.ts";
import { BLOCK_ENDPOINTS } from "./block-endpoints.ts";
import { CONSTANT_CALL_ENDPOINTS, CONTRACT_ENDPOINTS } from "./contract-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import type { HttpAnswer, HttpCall } from "./http-server.ts";
import { jsonText, parseJsonObject } from "./json-text.ts";
import { FULL_NODE_ENDPOINTS, NETWORK_ENDPOINTS } from "./network-endpoints.ts";
import { SIGNATURE_ENDPOINTS } from "./signature-endpoints.ts";
import { BROADCAST_ENDPOINTS, TRANSACTION_ENDPOINTS } from "./transaction-endpoints.ts";

/** What java-tron serves on both ports: /wallet at the head, /walletsolidity at the solid block. */
const SOLIDITY_API: EndpointTable = {
  ...BLOCK_ENDPOINTS,
  ...TRANSACTION_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...CONSTANT_CALL_ENDPOINTS,
  ...NETWORK_ENDPOINTS,
};

const FULL_NODE_API: EndpointTable = {
  ...SOLIDITY_API,
  ...RESOURCE_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...BROADCAST_ENDPOINTS,
  ...SIGNATURE_ENDPOINTS,
  ...FULL_NODE_ENDPOINTS,
};

const APIS = { wallet: FULL_NODE_API, walletsolidity: SOLIDITY_API } as const;

/** Answers /wallet and /walletsolidity; undefined for any other path. */
export function answerNodeApi(chain: LocalChain, call: HttpCall): HttpAnswer | undefined {
  const [, family, name = "", ...rest] = call.path.split("/");
  if (family !== "wallet" && family !== "walletsolidity") return undefined;
  const api = APIS[family];
  const endpoint =
    Object.hasOwn(api, name.toLowerCase()) && rest.length === 0 ? api[name.toLowerCase()] : undefined;
  if (endpoint === undefined) return errorAnswer(404, `${call.path} is not supported by this chain`);
  try {
    const request = readRequest(call, family === "wallet" ? "head" : "solid");
    const int64AsString = call.method === "GET" && call.query.get("int64_as_string") === "true";
    return { status: 200, body: jsonText(endpoint(chain, request), { int64AsString }) };
  } catch (error) {
    if (!(error instanceof RequestRefusal)) throw error;
    return errorAnswer(
      200,
      error.javaClass === "" ? error.message : `class ${error.javaClass} : ${error.message}`,
    );
  }
}

/** The shape every error of a node has. */
export function errorAnswer(status: number, text: string): HttpAnswer {
  return { status, body: jsonText({ Error: text }) };
}

/** GET carries its parameters in the query, POST as JSON in the body, whatever the content type says. */
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
