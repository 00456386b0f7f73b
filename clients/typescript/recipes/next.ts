import { verifyWebhook, WebhookVerificationError } from "@daric/sdk";
import { fulfil } from "./fulfil.ts";

const secret = process.env.WEBHOOK_SECRET ?? "";

export async function POST(request: Request): Promise<Response> {
  try {
    await fulfil(await verifyWebhook(await request.arrayBuffer(), request.headers, secret));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error; // 500: Daric sends it again
    console.error(error.message);
    return new Response(error.code, { status: 400 });
  }
}
