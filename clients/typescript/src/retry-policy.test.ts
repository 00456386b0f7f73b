import { describe, expect, it } from "vitest";
import { DaricError } from "./daric-error.ts";
import { isRepeatable, retryWaitMs } from "./retry-policy.ts";

type Facts = ConstructorParameters<typeof DaricError>[1];

const failure = (facts: Partial<Facts>) =>
  new DaricError("", { code: "CONNECTION", operation: "", ...facts });
const wait = (
  facts: Partial<Facts>,
  circumstances: { tries?: number; isRepeatable?: boolean; random?: number } = {},
) => retryWaitMs(failure(facts), { tries: 1, isRepeatable: false, random: 0.5, ...circumstances });

describe("a retry is allowed", () => {
  it("for reads, an archive, an update, a requote, a canceled refund, and what is found or made: a receive address, a refund with a reference", () => {
    expect(isRepeatable("GET /v1/deposits", undefined)).toBe(true);
    expect(isRepeatable("POST /v1/deposit-addresses/{id}/archive", undefined)).toBe(true);
    expect(isRepeatable("PATCH /v1/webhooks/endpoints/{id}", {})).toBe(true);
    expect(isRepeatable("POST /v1/checkout/{token}/requote", undefined)).toBe(true);
    expect(isRepeatable("POST /v1/deposit-addresses", { reusable: true })).toBe(true);
    expect(isRepeatable("POST /v1/deposit-addresses/{id}/refunds", { refundRef: "R-1" })).toBe(true);
    expect(isRepeatable("POST /v1/refunds/{id}/cancel", undefined)).toBe(true);
  });

  it("not for an order, open address, endpoint or test event, which would double, nor for a deletion, which would fail", () => {
    expect(isRepeatable("POST /v1/deposit-addresses", { amount: "1" })).toBe(false);
    expect(isRepeatable("POST /v1/deposit-addresses/{id}/refunds", { amount: "1" })).toBe(false);
    expect(isRepeatable("POST /v1/refunds/{id}/ask-again", undefined)).toBe(false);
    expect(isRepeatable("POST /v1/deposit-addresses", {})).toBe(false);
    expect(isRepeatable("POST /v1/webhooks/endpoints", {})).toBe(false);
    expect(isRepeatable("POST /v1/webhooks/endpoints/{id}/test", undefined)).toBe(false);
    expect(isRepeatable("POST /v1/webhooks/endpoints/{id}/rotate-secret", {})).toBe(false);
    expect(isRepeatable("POST /v1/webhooks/deliveries/{id}/resend", undefined)).toBe(false);
    expect(isRepeatable("POST /v1/deposit-addresses/{id}/extend", { seconds: 60 })).toBe(false);
    expect(isRepeatable("POST /v1/deposit-addresses/{id}/accept", {})).toBe(false);
    expect(isRepeatable("DELETE /v1/webhooks/endpoints/{id}", undefined)).toBe(false);
  });

  it("for all calls that were refused before any work", () => {
    expect(wait({ code: "RATE_LIMITED", status: 429 })).toBe(250);
    expect(wait({ code: "RATE_UNAVAILABLE", status: 503 })).toBe(250);
    expect(wait({ code: "UNEXPECTED_ANSWER", status: 429, retryAfter: 2 })).toBe(2_250);
    expect(wait({ code: "CONNECTION", isOutcomeUnknown: false })).toBe(250);
  });

  it("after a possible success only if a repetition does no harm", () => {
    for (const facts of [
      { code: "TIMEOUT" },
      { code: "CONNECTION" },
      { code: "SERVICE_UNAVAILABLE", status: 503 },
      { code: "INTERNAL_ERROR", status: 500 },
      { code: "UNEXPECTED_ANSWER", status: 502 },
    ]) {
      expect(wait({ ...facts, isOutcomeUnknown: true })).toBeUndefined();
      expect(wait({ ...facts, isOutcomeUnknown: true }, { isRepeatable: true })).toBe(250);
    }
  });

  it("not for a refusal that would repeat", () => {
    for (const facts of [
      { code: "MAX_ACTIVE_ADDRESSES", status: 429 },
      { code: "VALIDATION_ERROR", status: 422 },
      { code: "UNAUTHORIZED", status: 401 },
      { code: "UNEXPECTED_ANSWER", status: 404 },
    ]) {
      expect(wait(facts, { isRepeatable: true })).toBeUndefined();
    }
  });
});

describe("the wait", () => {
  it("is random between zero and a bound that doubles with each try, up to 8 s", () => {
    const bounds = [1, 2, 3, 4, 5, 6, 10].map((tries) => wait({}, { tries, random: 1 }));
    expect(bounds).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(wait({}, { tries: 5, random: 0 })).toBe(0);
  });

  it("is at least Retry-After, and beyond a minute there is no retry", () => {
    expect(wait({ code: "RATE_LIMITED", status: 429, retryAfter: 3 }, { random: 0 })).toBe(3_000);
    expect(wait({ code: "RATE_LIMITED", status: 429, retryAfter: 60 }, { random: 1 })).toBe(60_500);
    expect(wait({ code: "RATE_LIMITED", status: 429, retryAfter: 61 })).toBeUndefined();
    const overloaded = { code: "SERVICE_UNAVAILABLE", status: 503, retryAfter: 3 };
    expect(wait(overloaded, { random: 0, isRepeatable: true })).toBe(3_000);
  });
});
