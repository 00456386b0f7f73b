import { addressToBase58 } from "@daric/tron/address";
import { chainTimeMs, headOf, solidOf } from "../chain/chain.ts";
import type { DevAccount } from "../chain/dev-accounts.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { CHAIN_REQUESTS, type ControlEndpoint, type MovedChain } from "./control-chain.ts";
import { addFault, endFaults, FAULT_FIELDS, listFaults } from "./control-faults.ts";
import {
  type ControlBody,
  ControlError,
  optionalFlag,
  optionalInteger,
  optionalPrice,
  readControlBody,
} from "./control-fields.ts";
import {
  changeToken,
  describeToken,
  networkSettings,
  setParameters,
  TOKEN_FIELDS,
} from "./control-settings.ts";
import type { Faults } from "./faults.ts";
import type { HttpAnswer, HttpCall } from "./http-server.ts";
import { type DevnetRates, ratedCodes } from "./rates.ts";

export type ControlTarget = MovedChain & {
  /** the block producer, with an adjustable pace */
  readonly producer: {
    readonly blockTimeMs: number;
    readonly paused: boolean;
    configure(settings: { blockTimeMs?: number | undefined; paused?: boolean | undefined }): void;
  };
  readonly rates: DevnetRates;
  readonly faults: Faults;
  readonly accounts: { readonly mnemonic: string; readonly accounts: readonly DevAccount[] };
};

export const MIN_BLOCK_TIME_MS = 10;
export const MAX_BLOCK_TIME_MS = 60 * 60 * 1000;

/** by path and method */
const ENDPOINTS: Readonly<
  Record<string, { readonly [Method in "GET" | "POST" | "DELETE"]?: ControlEndpoint<ControlTarget> }>
> = {
  ...Object.fromEntries(Object.entries(CHAIN_REQUESTS).map(([name, request]) => [name, { POST: request }])),
  info: { GET: { fields: [], answer: describeChain } },
  accounts: { GET: { fields: [], answer: ({ accounts }) => accounts } },
  config: {
    GET: { fields: [], answer: describeConfig },
    POST: { fields: ["blockTimeMs", "paused", "automine", "parameters"], answer: configure },
  },
  token: {
    GET: { fields: [], answer: describeToken },
    POST: { fields: TOKEN_FIELDS, answer: changeToken },
  },
  rates: {
    GET: { fields: [], answer: ({ rates }) => rates },
    POST: { fields: ratedCodes, answer: setRates },
  },
  faults: {
    GET: { fields: [], answer: listFaults },
    POST: { fields: FAULT_FIELDS, answer: addFault },
    DELETE: { fields: [], answer: endFaults },
  },
};

/**
 * Answers /devchain/*; undefined for any other path. A bad request is a 400 `{ error, field }`. A call from a web
 * page is a 403: this chain serves no page, and a foreign one must not control it.
 */
export function answerControlApi(target: ControlTarget, call: HttpCall): HttpAnswer | undefined {
  const [, family, name = "", ...rest] = call.path.split("/");
  if (family !== "devchain") return undefined;
  if (call.origin !== undefined)
    return json(403, { error: `${call.path} is not for pages of ${call.origin}` });
  const endpoints = rest.length === 0 && Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined;
  if (endpoints === undefined) return json(404, { error: `there is no ${call.path}` });
  const endpoint = isMethod(call.method) ? endpoints[call.method] : undefined;
  if (endpoint === undefined)
    return json(405, { error: `${call.path} takes ${Object.keys(endpoints).join(" or ")}` });
  try {
    const body = call.method === "POST" ? readControlBody(call.body, endpoint.fields) : {};
    return json(200, endpoint.answer(target, body));
  } catch (error) {
    if (error instanceof ControlError) return json(400, { error: error.message, field: error.field });
    throw error;
  }
}

/** GET /devchain/info: everything a client needs to use this chain. */
export function describeChain({ chain, producer }: ControlTarget): object {
  return {
    genesisId: chain.store.ids[0],
    usdtContract: addressToBase58(GENESIS.usdtContract),
    usdxContract: addressToBase58(GENESIS.usdxContract),
    payer: { address: addressToBase58(GENESIS.payer.address), privateKey: GENESIS.payer.privateKey },
    head: headOf(chain),
    solid: solidOf(chain),
    timeMs: chainTimeMs(chain),
    blockTimeMs: producer.blockTimeMs,
    paused: producer.paused,
  };
}

function configure(target: ControlTarget, body: ControlBody): object {
  const blockTimeMs = optionalInteger(body, "blockTimeMs", [MIN_BLOCK_TIME_MS, MAX_BLOCK_TIME_MS]);
  const paused = optionalFlag(body, "paused");
  const automine = optionalFlag(body, "automine");
  setParameters(target.chain, body.parameters);
  target.producer.configure({ blockTimeMs, paused });
  target.chain.automine = automine ?? target.chain.automine;
  return describeConfig(target);
}

function describeConfig({ chain, producer }: ControlTarget): object {
  const { blockTimeMs, paused } = producer;
  return { blockTimeMs, paused, automine: chain.automine, parameters: networkSettings(chain) };
}

function setRates({ rates }: ControlTarget, body: ControlBody): object {
  const given = ratedCodes.map((code) => [code, optionalPrice(body, code)] as const);
  for (const [code, price] of given) if (price !== undefined) rates[code] = price;
  return rates;
}

function isMethod(text: string): text is "GET" | "POST" | "DELETE" {
  return text === "GET" || text === "POST" || text === "DELETE";
}

function json(status: number, answer: object): HttpAnswer {
  return { status, body: JSON.stringify(answer) };
}
