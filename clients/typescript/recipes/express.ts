import { verifyWebhook, WebhookVerificationError } from "@daric/sdk";
import express from "express";
import { fulfil } from "./fulfil.ts";

const secret = process.env.WEBHOOK_SECRET ?? "";
export const app = express();

// Before any app.use(express.json()): the signature covers the unparsed bytes.
app.post("/hook", express.raw({ type: "*/*" }), async (request, response) => {
  try {
    await fulfil(await verifyWebhook(request.body, request.headers, secret));
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error; // 500: Daric sends it again
    console.error(error.message);
    response.status(400).send(error.code);
  }
});
