import type { LocalChain } from "../chain/chain.ts";
import type { ApiRequest } from "./api-request.ts";
import type { JsonTree } from "./json-text.ts";

/** Answers one path of the node's API. */
export type Endpoint = (chain: LocalChain, request: ApiRequest) => JsonTree;

/** Endpoints by the last part of the path. */
export type EndpointTable = Readonly<Record<string, Endpoint>>;
