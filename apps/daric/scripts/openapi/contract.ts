import { idOf } from "@daric/domain/ids";
import { type WebhookEventType, webhookEventBody } from "@daric/domain/webhook-event";
import { type EventExample, eventExamples } from "./event-examples.ts";
import { depositEvent, orderEvent, refundEventBody, settlementEvent, testEvent } from "./event-schema.ts";
import type { Vocabulary } from "./openapi-vocabulary.ts";
import type { WebhookDescription } from "./openapi-webhooks.ts";
import { wireExamples } from "./wire-examples.ts";
import { wireMeanings } from "./wire-meanings.ts";

const schemas = {
  deposit: depositEvent,
  order: orderEvent,
  settlement: settlementEvent,
  refund: refundEventBody,
  webhook: testEvent,
} as const;

/** The webhooks of the OpenAPI document. */
const sentWebhooks = {
  tag: "webhooks",
  events: Object.fromEntries(Object.entries(eventExamples).map(describe)),
  headers: {
    "x-service-signature": {
      description: "HMAC-SHA-256 of the raw body in lowercase hex; the key is the whole `whsec_…` text.",
      example: "5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
      pattern: "^[0-9a-f]{64}$",
      required: true,
    },
    "webhook-id": {
      description: "The id of the event, as in the body (Standard Webhooks).",
      example: "7d2a41c3-5b60-5f18-8e9d-0a1b2c3d4e5f",
      pattern: "^[0-9a-f-]{36}$",
      required: true,
    },
    "webhook-timestamp": {
      description: "When this attempt was signed, in seconds since 1970 (Standard Webhooks).",
      example: "1795262520",
      pattern: "^[0-9]+$",
      required: true,
    },
    "webhook-signature": {
      description:
        "`v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`; the key is the base64-decoded text after `whsec_`. " +
        "Two of them with a blank between while a secret is being rotated (Standard Webhooks).",
      example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      pattern: "^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$",
      required: true,
    },
  },
};

function describe([type, { summary, description, data }]: [string, EventExample]) {
  const [kind = ""] = type.split(".");
  const schema = schemas[kind as keyof typeof schemas].meta()?.id ?? "";
  const body = webhookEventBody({
    id: idOf("event", "7d2a41c3-5b60-5f18-8e9d-0a1b2c3d4e5f"),
    event: type as WebhookEventType,
    environment: "live",
    createdAt: new Date("2026-11-21T12:02:00.000Z"),
    sequence: 3,
    data,
  });
  return [type, { summary, description, schema, example: JSON.parse(body) as unknown }];
}

/** The contract's parts besides the routes. */
type ApiContract = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly vocabulary: Vocabulary;
  readonly webhooks: WebhookDescription;
};

/** The parts of the OpenAPI document besides the routes: tags, vocabulary and webhooks. */
export const contract: ApiContract = {
  tags: [
    { name: "account", description: "The merchant of a key, and the rights of the key." },
    {
      name: "deposit addresses",
      description:
        "Orders (an amount), open addresses (any amount, for a time) and standing receive addresses.",
    },
    { name: "deposits", description: "Payments: one row for each transfer to one of your addresses." },
    {
      name: "payment links",
      description: "Templates of orders with a public page: each click there makes an order.",
    },
    { name: "currencies", description: "The currencies of prices, and where each is priced. No API key." },
    {
      name: "refunds",
      description:
        "Money that goes back: a promise, the payer's address, and the transfer that the chain shows.",
    },
    {
      name: "books",
      description: "Files for your accountant: lists with their values, the journal, and receipts.",
    },
    {
      name: "settlement",
      description: "The money that you are owed, where it is, and the wallets that it goes to.",
    },
    {
      name: "webhooks",
      description: "Endpoints, their events, and the log of every attempt.",
    },
    { name: "shops", description: "A shop gets its key and its webhook endpoint by a code. No API key." },
    {
      name: "checkout",
      description: "The data of the payer's page. No API key: the token is the credential.",
    },
    {
      name: "testing",
      description: "On a devnet only: every case that a payer can cause.",
    },
  ],
  vocabulary: { meanings: wireMeanings, examples: wireExamples },
  webhooks: sentWebhooks,
};
