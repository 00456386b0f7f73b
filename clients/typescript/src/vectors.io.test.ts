import { callVectors, startVectorService, type VectorService } from "@daric/testing/vector-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "./api.ts";
import { DaricError } from "./daric-error.ts";
import { canonicalDecimal } from "./decimal.ts";
import { type ExpectedOrder, reasonNotToDeliver } from "./is-fulfilled-by.ts";
import type { InputOf, Operation } from "./operation.ts";
import { isRepeatable, retryWaitMs } from "./retry-policy.ts";
import { settingsOf } from "./settings.ts";
import type { WebhookEvent } from "./webhook-event.ts";

const { exchanges, repeatable, waits, decimals, fulfilment } = callVectors;

describe("an exchange", () => {
  let service: VectorService;
  beforeAll(async () => {
    service = await startVectorService();
  });
  afterAll(() => service.close());

  it.concurrent.each(exchanges.map((exchange, index) => ({ ...exchange, index })))(
    "$name",
    async ({ index, operation, path, query, body, answers, expected, ...limits }) => {
      const baseUrl =
        answers[0]?.fault === "refuse" ? "http://127.0.0.1:2" : `${service.url}/typescript/${index}`;
      const { maxRetries = 1, timeoutMs } = limits;
      const apiKey = "daric_test_sk_0123456789abcdef_secret";
      const api = new Api(settingsOf({ baseUrl, apiKey, maxRetries, timeoutMs }));
      const input = { path, query, body } as InputOf<Operation>;
      const outcome: unknown = await api.call(operation as Operation, input).catch((error) => error);
      if (expected.error === undefined) expect(outcome).toEqual(expected.data);
      else expect(factsOf(outcome, baseUrl)).toEqual(expected.error);
    },
  );

  it("is carried out by the expected requests", () => {
    expect(service.faultsOf("typescript")).toEqual([]);
  });
});

function factsOf(error: unknown, baseUrl: string): object {
  if (!(error instanceof DaricError)) throw error;
  const { code, status = null, isOutcomeUnknown, correlationId = null, retryAfter = null, docUrl } = error;
  const docPath = docUrl?.replace(new URL(baseUrl).origin, "") ?? null;
  return { code, status, isOutcomeUnknown, correlationId, retryAfter, details: error.details, docPath };
}

it.each(repeatable)("$operation with $body may be repeated: $expected", ({ operation, body, expected }) => {
  expect(isRepeatable(operation as Operation, body)).toBe(expected);
});

it.each(waits)("the wait after $code $status, try $tries, is $waitMs ms", (vector) => {
  const failure = new DaricError("", {
    operation: "",
    code: vector.code,
    isOutcomeUnknown: vector.isOutcomeUnknown,
    status: vector.status ?? undefined,
    retryAfter: vector.retryAfter ?? undefined,
  });
  const { tries, mayRepeat, random } = vector;
  expect(retryWaitMs(failure, { tries, isRepeatable: mayRepeat, random }) ?? null).toBe(vector.waitMs);
});

it.each(decimals)("the decimal $text is $canonical", ({ text, canonical }) => {
  expect(canonicalDecimal(text) ?? null).toBe(canonical);
});

it.each(fulfilment)("an event proves an order: $name", ({ event, order, reason }) => {
  expect(reasonNotToDeliver(event as WebhookEvent, order as ExpectedOrder) ?? null).toBe(reason);
});
