import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "./builders.ts";
import { createTestContext } from "./context.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { claimAsIdle, deliver } from "./webhook-builders.ts";

type Method = "POST" | "PATCH" | "DELETE" | "GET";
// biome-ignore lint/suspicious/noExplicitAny: a test knows the answer that it expects
type Answer = { status: number; data: any; error: any; message: string };

/** A merchant with a receiver. */
export type WebhookShop = {
  readonly merchantId: MerchantId;
  readonly receiver: Receiver;
  /** Calls a path below `/v1/webhooks`. */
  call(method: Method, path: string, payload?: object): Promise<Answer>;
};

/** The API on a database of its own, without a worker: `deliverAll` makes the due deliveries. */
export async function startWebhookApi() {
  const context = await createTestContext({
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    RATE_LIMIT_KEY_BURST: "10000",
  });
  const app = createApp(context);
  return {
    context,
    deliverAll: async (): Promise<void> => {
      for (const claim of await claimAsIdle(context, 100)) await deliver(context, claim);
    },
    /** A new merchant. The endpoints of earlier merchants are disabled, so that none of their deliveries is due. */
    aShop: async (): Promise<WebhookShop> => {
      await context.db.query(sql`update webhook_endpoints set is_active = false`);
      const { id: merchantId } = await aMerchant(context.db);
      const { key } = await anApiKey(context, merchantId);
      const call = async (method: Method, path: string, payload?: object): Promise<Answer> => {
        const response = await app.inject({
          method,
          url: `/v1/webhooks${path}`,
          headers: { "x-api-key": key },
          ...(payload === undefined ? {} : { payload }),
        });
        const body = response.json();
        return { status: response.statusCode, data: body.data, error: body.error, message: body.message };
      };
      return { merchantId, receiver: await startReceiver(), call };
    },
    close: async (): Promise<void> => {
      await app.close();
      await context.close();
    },
  };
}
