import { expect, it } from "vitest";
import { partsShownBy } from "./live.ts";

it.each([
  ["GET /v1/deposit-addresses/{id}", "payments"],
  ["GET /dashboard/v1/payments/{id}/story", "payments webhooks account"],
  ["GET /dashboard/v1/home", "payments account"],
  ["GET /v1/settlements", "payments"],
  ["GET /v1/webhooks/deliveries/{id}", "webhooks"],
  ["GET /dashboard/v1/operator/overview", "service"],
  ["GET /dashboard/v1/settings", "account"],
  ["GET /dashboard/v1/wallet-requests", "account"],
])("%s is read again when %s change", (name, parts) => {
  expect(partsShownBy(name)).toEqual(parts.split(" "));
});
