import { expect, it } from "vitest";
import { requestLine } from "./request-line.ts";

const request = {
  method: "POST",
  path: "/wallet/getblock",
  requestBody: "{}",
  status: 200,
  body: "{}",
  ms: 3.4,
};
const text = Buffer.from("Validate signature error").toString("hex");

it.each([
  [{}, "POST /wallet/getblock → 200, 3 ms"],
  [{ body: '{"Error":"class X : no hex"}' }, "POST /wallet/getblock → 200, 3 ms: class X : no hex"],
  [
    { body: `{"code":"SIGERROR","message":"${text}"}` },
    "POST /wallet/getblock → 200, 3 ms: SIGERROR Validate signature error",
  ],
  [
    { body: `{"result":{"code":"OTHER_ERROR","message":"${text}"}}` },
    "POST /wallet/getblock → 200, 3 ms: OTHER_ERROR Validate signature error",
  ],
  [{ body: '{"result":true,"code":"SUCCESS","message":""}' }, "POST /wallet/getblock → 200, 3 ms"],
  [
    { path: "/jsonrpc", requestBody: '[{"method":"eth_call"},{"method": "eth_chainId"}]', body: "[]" },
    "POST /jsonrpc eth_call eth_chainId → 200, 3 ms",
  ],
  [
    {
      path: "/jsonrpc",
      requestBody: '{"method":"eth_x"}',
      body: '{"error":{"code":-32601,"message":"method not found"}}',
    },
    "POST /jsonrpc eth_x → 200, 3 ms: -32601 method not found",
  ],
  [
    { status: 400, body: '{"error":"blocks must be","field":"blocks"}' },
    "POST /wallet/getblock → 400, 3 ms: blocks must be",
  ],
])("the line of %j says what was asked and why it was refused", (change, line) => {
  expect(requestLine({ ...request, ...change })).toBe(line);
});
