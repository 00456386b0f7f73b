import { verifyWebhook, WebhookVerificationError } from "@daric/sdk";
import { Hono } from "hono";
import { fulfil } from "./fulfil.ts";

const secret = process.env.WEBHOOK_SECRET ?? ""; // on Cloudflare: context.env.WEBHOOK_SECRET, in the handler
export const app = new Hono();

app.post("/hook", async (context) => {
  try {
    await fulfil(await verifyWebhook(await context.req.arrayBuffer(), context.req.raw.headers, secret));
    return context.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error; // 500: Daric sends it again
    console.error(error.message);
    return context.text(error.code, 400);
  }
});
