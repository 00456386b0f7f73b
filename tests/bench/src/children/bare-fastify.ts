import { createdCharge } from "@daric/charges/api/row/schema";
import { createBody } from "@daric/charges/api/schema";
import { createdOf } from "@daric/http/envelope";
import fastify from "fastify";
import { z } from "zod";
import { serveCommands } from "./serve-commands.ts";

/** The framework alone: a POST with the JSON schemas of create. */
const ANSWER = {
  success: true,
  message: "Created",
  data: {
    id: "0190a5f0-0000-7000-8000-000000000001",
    address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4",
    chain: "tron",
    currency: "USDT",
    status: "ACTIVE",
    expires_at: "2030-01-01T00:00:00.000Z",
    fee_mode: "merchant",
    expected_amount: "25.5",
    pay_amount: null,
    fiat_currency: null,
    fiat_amount: null,
    quote_rate: null,
    quote_source: null,
    quote_expires_at: null,
    order_ref: "A-1042",
    success_url: "https://shop.example/thanks",
    cancel_url: null,
    checkout_token: "A".repeat(40),
    checkout_url: `https://pay.example/c/${"A".repeat(40)}`,
    amount_due: "25.5",
    metadata: null,
    customer_ref: null,
  },
};

/** The schemas without the rules that JSON schema cannot express. */
const schemaOf = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, target: "draft-7", unrepresentable: "any" });

// Documentation keywords of the schemas are not validator keywords.
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.post(
  "/v1/deposit-addresses",
  {
    schema: {
      body: schemaOf(createBody, "input"),
      response: { 201: schemaOf(createdOf(createdCharge), "output") },
    },
  },
  async (_request, reply) => reply.code(201).send(ANSWER),
);
await serveCommands(app);
