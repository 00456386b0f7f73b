import { addressToBase58 } from "@daric/tron/address";
import { advanceTime, chainTimeMs, headOf, type LocalChain, mineBlock, solidOf } from "../chain/chain.ts";
import { depthOf, ReorgRefusal, reorganize } from "../chain/reorganize.ts";
import { SOLID_LAG } from "../chain/schedule.ts";
import { giveFromTreasury } from "../chain/treasury.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { SLOT_MS } from "../ledger/limits.ts";
import { addFault, endFaults, FAULT_FIELDS, listFaults } from "./control-faults.ts";
import {
  addressField,
  amountField,
  type ControlBody,
  ControlError,
  integerField,
  optionalFlag,
  optionalInteger,
  optionalPrice,
  readControlBody,
  txIdsField,
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

export type ControlTarget = {
  readonly chain: LocalChain;
  /** the block producer, with an adjustable pace */
  readonly producer: {
    readonly blockTimeMs: number;
    readonly paused: boolean;
    configure(settings: { blockTimeMs?: number | undefined; paused?: boolean | undefined }): void;
  };
  readonly rates: DevnetRates;
  readonly faults: Faults;
};

type ControlEndpoint = {
  readonly fields: readonly string[];
  readonly answer: (target: ControlTarget, body: ControlBody) => object;
};

const MAX_MINED_BLOCKS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_STEP_MS = 10 * DAY_MS;
const MAX_ADVANCE_MS = 3650 * DAY_MS;
export const MIN_BLOCK_TIME_MS = 10;
export const MAX_BLOCK_TIME_MS = 60 * 60 * 1000;

/** by path and method */
const ENDPOINTS: Readonly<
  Record<string, { readonly [Method in "GET" | "POST" | "DELETE"]?: ControlEndpoint }>
> = {
  info: { GET: { fields: [], answer: describeChain } },
  faucet: { POST: { fields: ["address", "trx", "usdt"], answer: faucet } },
  mine: { POST: { fields: ["blocks", "stepMs"], answer: mine } },
  reorg: { POST: { fields: ["depth", "drop", "fail", "move"], answer: reorg } },
  time: { POST: { fields: ["advanceMs"], answer: time } },
  config: {
    GET: { fields: [], answer: describeConfig },
    POST: { fields: ["blockTimeMs", "paused", "parameters"], answer: configure },
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
    if (error instanceof ReorgRefusal) {
      return json(400, { error: `${error.field}: ${error.message}`, field: error.field });
    }
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

function faucet({ chain }: ControlTarget, body: ControlBody): object {
  const address = addressField(body, "address");
  const gift = { sun: amountField(body, "trx"), usdtUnits: amountField(body, "usdt") };
  if (gift.sun === 0n && gift.usdtUnits === 0n) {
    throw new ControlError("trx", "or usdt must be given: there is nothing to send");
  }
  try {
    return { txids: giveFromTreasury(chain, address, gift) };
  } catch (error) {
    if (error instanceof BroadcastRefusal)
      throw new ControlError("address", `cannot be paid: ${error.message}`);
    throw error;
  }
}

function mine({ chain }: ControlTarget, body: ControlBody): object {
  const blocks = integerField(body, "blocks", [1, MAX_MINED_BLOCKS]);
  const stepMs = optionalInteger(body, "stepMs", [SLOT_MS, MAX_STEP_MS]) ?? SLOT_MS;
  if (stepMs % SLOT_MS !== 0) throw new ControlError("stepMs", `must be a multiple of ${SLOT_MS}`);
  for (let mined = 0; mined < blocks; mined += 1) mineBlock(chain, stepMs);
  return { head: headOf(chain), solid: solidOf(chain) };
}

function reorg({ chain }: ControlTarget, body: ControlBody): object {
  const named = {
    drop: txIdsField(body, "drop"),
    fail: txIdsField(body, "fail"),
    move: txIdsField(body, "move"),
  };
  const isDepthLeftOut = body.depth === undefined && Object.values(named).some((ids) => ids.length > 0);
  const depth = isDepthLeftOut ? depthOf(chain, named) : integerField(body, "depth", [1, SOLID_LAG]);
  const oldHead = headOf(chain);
  reorganize(chain, { ...named, depth });
  return { oldHead, newHead: headOf(chain) };
}

function time({ chain }: ControlTarget, body: ControlBody): object {
  advanceTime(chain, integerField(body, "advanceMs", [1, MAX_ADVANCE_MS]));
  return { timeMs: chainTimeMs(chain) };
}

function configure(target: ControlTarget, body: ControlBody): object {
  const blockTimeMs = optionalInteger(body, "blockTimeMs", [MIN_BLOCK_TIME_MS, MAX_BLOCK_TIME_MS]);
  const paused = optionalFlag(body, "paused");
  setParameters(target.chain, body.parameters);
  target.producer.configure({ blockTimeMs, paused });
  return describeConfig(target);
}

function describeConfig({ chain, producer }: ControlTarget): object {
  const { blockTimeMs, paused } = producer;
  return { blockTimeMs, paused, parameters: networkSettings(chain) };
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
