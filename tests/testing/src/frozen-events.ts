import assert from "node:assert/strict";
import { type Queryable, sql } from "@daric/postgres/sql";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import {
  depositEvent,
  orderEvent,
  refundEventBody,
  settlementEvent,
  testEvent,
} from "../../../apps/daric/scripts/openapi/event-schema.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
/** Closed: an undocumented field is a fault. */
const validators = {
  deposit: ajv.compile(z.toJSONSchema(depositEvent)),
  order: ajv.compile(z.toJSONSchema(orderEvent)),
  refund: ajv.compile(z.toJSONSchema(refundEventBody)),
  settlement: ajv.compile(z.toJSONSchema(settlementEvent)),
  webhook: ajv.compile(z.toJSONSchema(testEvent)),
};

/** Compares every stored event with the OpenAPI document. @throws AssertionError naming what differs. */
export async function requireDocumentedEvents(owner: Queryable): Promise<void> {
  const rows = await owner.query<{ type: string; body: Buffer }>(sql`
    select event.type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where body.body <> '{}'
    limit 500`);
  for (const { type, body } of rows) {
    assert.deepEqual(faultsOfEvent(type, JSON.parse(body.toString())), [], `${type}: ${body}`);
  }
}

export function faultsOfEvent(type: string, body: unknown): string[] {
  const [kind = ""] = type.split(".");
  const validate = validators[kind as keyof typeof validators];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
}
