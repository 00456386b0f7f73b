import fc from "fast-check";
import { expect, it } from "vitest";
import { aChain, mineBlocks, send, trxTransfer, usdtTransfer } from "../../test/chain-builders.ts";
import { answerEvents } from "../events/answer-events.ts";
import type { HttpCall } from "../http/http-server.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { answerJsonRpc } from "./answer-json-rpc.ts";

const { payer, treasury, usdtContract } = GENESIS;
const chain = aChain();
const txId = send(chain, payer, usdtTransfer(payer, treasury.address, 1n));
send(chain, payer, trxTransfer(payer, treasury.address, 1n));
mineBlocks(chain, 1);

const plainCall: HttpCall = {
  method: "POST",
  path: "/jsonrpc",
  query: new URLSearchParams(),
  body: "",
  origin: undefined,
  host: "127.0.0.1",
};
const METHODS =
  "eth_getBalance eth_getBlockByNumber eth_getBlockByHash eth_getTransactionByHash eth_getTransactionReceipt eth_getLogs eth_call".split(
    " ",
  );
const near = fc.constantFrom(
  "latest",
  "finalized",
  "0x1",
  `0x${txId}`,
  `0x${usdtContract.slice(2)}`,
  "0x",
  "",
);
const value = fc.oneof(near, fc.jsonValue({ maxDepth: 2 }));
const field = fc.constantFrom(
  "address",
  "topics",
  "fromBlock",
  "toBlock",
  "blockHash",
  "to",
  "from",
  "data",
  "value",
  "toString",
);
const param = fc.oneof(
  value,
  fc.dictionary(field, fc.oneof(value, fc.array(value, { maxLength: 3 })), { maxKeys: 4 }),
);
const request = fc.record({
  id: fc.oneof(fc.integer(), fc.jsonValue({ maxDepth: 1 })),
  method: fc.oneof(fc.constantFrom(...METHODS), fc.jsonValue({ maxDepth: 1 })),
  params: fc.oneof(fc.array(param, { minLength: 1, maxLength: 2 }), fc.jsonValue({ maxDepth: 1 })),
});

it("no request of JSON-RPC fails by itself: each has a result or an error with a code, or is a notification", () => {
  const isAnswer = (answer: { result?: unknown; error?: { code: number } }) =>
    answer.result !== undefined || Number.isInteger(answer.error?.code);
  fc.assert(
    fc.property(fc.oneof(request, fc.array(request, { maxLength: 3 }), fc.jsonValue()), (body) => {
      const answer = answerJsonRpc(chain, { ...plainCall, body: JSON.stringify(body) });
      expect(answer?.status).toBe(200);
      if (answer?.body === "") return;
      expect([JSON.parse(answer?.body ?? "")].flat().every(isAnswer)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("no query of events fails by itself: each has data or an error with its status", () => {
  const part = fc.oneof(fc.constantFrom(txId, usdtContract, "21", "latest"), fc.webSegment());
  const path = fc.oneof(
    part.map((id) => `/v1/contracts/${id}/events`),
    part.map((id) => `/v1/transactions/${id}/events`),
    part.map((id) => `/v1/blocks/${id}/events`),
    part.map((id) => `/v1/accounts/${id}/transactions/trc20`),
    part.map((id) => `/v1/${id}`),
  );
  const name = fc.constantFrom(
    "limit",
    "fingerprint",
    "order_by",
    "block_number",
    "only_confirmed",
    "min_timestamp",
    "contract_address",
  );
  const query = fc.dictionary(
    name,
    fc.oneof(fc.string(), fc.constantFrom("1", "true", "MjEuMC4w", "block_timestamp,asc")),
  );
  fc.assert(
    fc.property(path, query, (called, given) => {
      const call = { ...plainCall, method: "GET", path: called, query: new URLSearchParams(given) };
      const answer = answerEvents(chain, call);
      const { success, data, error } = JSON.parse(answer?.body ?? "{}");
      expect(success).toBe(answer?.status === 200);
      expect(success ? Array.isArray(data) : typeof error === "string").toBe(true);
    }),
    { numRuns: 500 },
  );
});
