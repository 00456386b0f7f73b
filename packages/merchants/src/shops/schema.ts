import { ruled } from "@daric/domain/field-rule";
import { httpUrl, text } from "@daric/http/validate";
import { targetUrl } from "@daric/webhooks/schema";
import { z } from "zod";

/** A code as it is typed, with blanks. */
const MAX_CODE_CHARS = 40;
/** The name of a key has no more. */
const MAX_SITE_CHARS = 120;

export const connectBody = z
  .object({
    code: text(MAX_CODE_CHARS),
    webhookUrl: targetUrl,
    site: httpUrl
      .refine(
        (url) => url.length <= MAX_SITE_CHARS,
        ruled(`must have at most ${MAX_SITE_CHARS} characters`, "maxLength", MAX_SITE_CHARS),
      )
      .meta({ maxLength: MAX_SITE_CHARS }),
  })
  .meta({
    "x-examples": {
      shop: {
        summary: "A shop that has its own route for webhooks",
        value: {
          code: "7K3M-Q9TD-2WXB-HN5C",
          webhookUrl: "https://shop.example.org/wp-json/daric/v1/webhook",
          site: "https://shop.example.org",
        },
      },
    },
  });

export const shopConnection = z
  .object({
    apiKey: z.string(),
    webhookSecret: z.string().meta({ pattern: "^whsec_[0-9a-f]{64}$" }),
    endpointId: z.string().meta({ format: "uuid" }),
    merchantId: z.string().meta({ format: "uuid" }),
  })
  .meta({
    id: "ShopConnection",
    description: "The key and the webhook endpoint of a shop. No other answer has the key or the secret.",
  });
