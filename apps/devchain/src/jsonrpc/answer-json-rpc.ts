import type { LocalChain } from "../chain/chain.ts";
import type { HttpAnswer, HttpCall } from "../http/http-server.ts";
import { errorAnswer } from "../http/node-api.ts";
import { runRpcMethod } from "./rpc-methods.ts";
import { INVALID_REQUEST, RpcError, RpcLibraryError } from "./rpc-values.ts";

const PARSE_ERROR = -32700;
/** The id of an answer to a request that has none or cannot be read, as jsonrpc4j writes it. */
const NO_ID = "null";

type RpcId = string | number;

/** Answers /jsonrpc, single calls and batches, with status 200 as a node does; undefined for any other path. */
export function answerJsonRpc(chain: LocalChain, call: HttpCall): HttpAnswer | undefined {
  if (call.path !== "/jsonrpc") return undefined;
  if (call.method !== "POST") return errorAnswer(405, `${call.method} is not supported`);
  const answer = answerText(chain, call.body);
  return { status: 200, body: answer === undefined ? "" : JSON.stringify(answer) };
}

function answerText(chain: LocalChain, text: string): unknown {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return failure(NO_ID, new RpcLibraryError(PARSE_ERROR, "JSON parse error"));
  }
  if (!Array.isArray(request)) return answerRequest(chain, request);
  return request.flatMap((each) => answerRequest(chain, each) ?? []);
}

/** Undefined for a notification, which has no id. */
function answerRequest(chain: LocalChain, request: unknown): object | undefined {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    return failure(NO_ID, new RpcLibraryError(INVALID_REQUEST, "invalid request"));
  const { id, method, params } = request as { readonly [field: string]: unknown };
  const isAnswered = typeof id === "string" || typeof id === "number";
  try {
    const result = runRpcMethod(chain, typeof method === "string" ? method : "", params);
    return isAnswered ? { jsonrpc: "2.0", id, result } : undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return isAnswered ? failure(id, error) : undefined;
  }
}

function failure(id: RpcId, { code, message, data }: RpcError): object {
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}
