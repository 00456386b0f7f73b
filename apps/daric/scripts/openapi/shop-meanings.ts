import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meanings of the fields of shop connections. */
export const shopMeanings: Vocabulary["meanings"] = {
  "connectShop.code":
    "The code that the dashboard shows. Small letters, blanks and missing hyphens do no harm.",
  webhook_url: "The http or https URL of the shop that receives the events, at most 2048 characters.",
  site: "The address of the shop, at most 120 characters. Its key has this name, and its endpoint this description.",
  api_key:
    "The key of the shop, with `charges:read charges:write deposits:read webhooks:read refunds:read refunds:write`. Shown only this once.",
  webhook_secret:
    "The key that signs every event for the shop: `whsec_` and 64 hex characters. Shown only this once.",
  "ShopConnection.merchant_id": "The id of the merchant whose shop it is (UUID).",
  "ShopConnection.endpoint_id": "The id of the shop's webhook endpoint (UUID).",
};
