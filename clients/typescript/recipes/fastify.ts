import { verifyWebhook, WebhookVerificationError } from "@daric/sdk";
import { fastify } from "fastify";
import { fulfil } from "./fulfil.ts";

const secret = process.env.WEBHOOK_SECRET ?? "";
export const app = fastify();

// In a scope of its own: here the body stays unparsed bytes, elsewhere it is parsed as usual.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) => body,
  );
  scope.post<{ Body: Buffer }>("/hook", async (request, reply) => {
    try {
      await fulfil(await verifyWebhook(request.body, request.headers, secret));
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error; // 500: Daric sends it again
      console.error(error.message);
      return reply.code(400).send(error.code);
    }
  });
});
