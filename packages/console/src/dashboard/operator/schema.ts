import { ruled } from "@daric/domain/field-rule";
import { feeModes } from "@daric/domain/order";
import { webhookErrors } from "@daric/domain/webhook-delivery";
import { text, timestamp } from "@daric/http/validate";
import type { Merchant } from "@daric/merchants/store";
import { z } from "zod";
import { fixedFeesOf, fixedFeesRow, updatedAt } from "../account/schema.ts";
import type { WorstEndpoint } from "./worst-endpoint-store.ts";

const id = z.string().meta({ format: "uuid" });
const MAX_REASON_CHARS = 500;
const MAX_FORM_CHARS = 200;

export const merchantRow = z.object({
  id,
  name: z.string(),
  fee_mode: z.enum(feeModes),
  fee_basis_points: z.int(),
  fee_fixed: fixedFeesRow,
  active_address_cap: z.int(),
  suspended_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export function toMerchantRow(merchant: Merchant): z.input<typeof merchantRow> {
  return {
    id: merchant.id,
    name: merchant.name,
    fee_mode: merchant.feeMode,
    fee_basis_points: merchant.feeBasisPoints,
    fee_fixed: fixedFeesOf(merchant),
    active_address_cap: merchant.activeAddressCap,
    suspended_at: merchant.suspendedAt?.toISOString() ?? null,
    created_at: merchant.createdAt.toISOString(),
    updated_at: merchant.updatedAt.toISOString(),
  };
}

const formText = z.string().max(MAX_FORM_CHARS);
export const merchantBody = z.object({ name: formText, activeAddressCap: formText.exactOptional() });
export const capBody = z.object({ updatedAt, activeAddressCap: formText });
export const reasonBody = z.object({
  reason: text(MAX_REASON_CHARS).refine((reason) => reason.trim() !== "", ruled("must say why", "reason")),
});
export const worstEndpointRow = z.object({
  merchant_id: id,
  endpoint_id: id,
  due_at: timestamp,
  waiting_seconds: z.number(),
  url: z.string(),
  last_error: z.enum(webhookErrors).nullable(),
  last_status_code: z.int().nullable(),
});

export function toWorstEndpointRow(endpoint: WorstEndpoint): z.input<typeof worstEndpointRow> {
  return {
    merchant_id: endpoint.merchantId,
    endpoint_id: endpoint.endpointId,
    due_at: endpoint.dueAt.toISOString(),
    waiting_seconds: endpoint.waitingSeconds,
    url: endpoint.url,
    last_error: endpoint.lastError,
    last_status_code: endpoint.lastStatusCode,
  };
}
