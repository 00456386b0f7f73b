import { type CallerScope, shopScopes } from "@daric/domain/api-scope";
import { ApiError } from "@daric/domain/errors";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { type MerchantRole, scopesOfRole } from "@daric/domain/merchant-role";
import { shopEventTypes } from "@daric/domain/webhook-event";
import type { Resolve } from "@daric/egress/guarded-dial";
import { vetTarget } from "@daric/egress/vet-target";
import { withinTransaction } from "@daric/postgres/within-transaction";
import { insertAuditEntry } from "@daric/runtime/audit-store";
import { forMerchant } from "@daric/runtime/context";
import { currentFirst } from "@daric/runtime/seal";
import type { ApiContext as DeliveriesContext } from "@daric/webhooks/deliveries/context";
import { enqueueTestEvent } from "@daric/webhooks/deliveries/send-test-event";
import type { ApiContext as EndpointsContext } from "@daric/webhooks/endpoints/context";
import { addEndpoint } from "@daric/webhooks/endpoints/create-endpoint";
import { deleteEndpointsAt } from "@daric/webhooks/endpoints/delete-endpoint";
import type { KeyContext } from "../context.ts";
import { createApiKey } from "../create-api-key.ts";
import { getMerchant } from "../get-merchant.ts";
import { hashOfShopCode } from "./code.ts";
import { findMerchantOfShopCode, takeShopCode } from "./store.ts";

export type ConnectContext = KeyContext & EndpointsContext & DeliveriesContext;

/** The request of a shop. `site` is the shop's address, after which its key is named. */
type ConnectRequest = {
  readonly code: string;
  readonly webhookUrl: string;
  readonly site: string;
  /** the network address of the sender */
  readonly address: string;
};

/** The key of a shop, its endpoint with the secret that signs events, and its merchant. No answer has the secrets again. */
export type ShopConnection = {
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly endpointId: EndpointId;
  readonly merchantId: MerchantId;
};

/** The rights that a maker of a code needs: those of the key, and the right to make keys and endpoints. */
export const rightsToConnect: readonly CallerScope[] = ["keys:write", "webhooks:write", ...shopScopes];

/**
 * Uses a code up: makes a key and a webhook endpoint for the shop, and leaves a test event to a worker. The endpoint replaces those of the
 * same URL. A refusal makes nothing, and the code stays open.
 *
 * @throws SHOP_CODE_NOT_VALID; INVALID_WEBHOOK_URL, whose `details` name `webhookUrl`; MERCHANT_SUSPENDED; CAP_REACHED;
 * TOO_MANY_ENDPOINTS.
 */
export async function connectShop(
  context: ConnectContext,
  request: ConnectRequest,
  resolve: Resolve,
): Promise<ShopConnection> {
  const { db, config } = context;
  const { keyPepper, previousKeyPepper } = config.merchants;
  const hash = hashOfShopCode(currentFirst(keyPepper, previousKeyPepper), request.code);
  if (hash === undefined) throw new ApiError("SHOP_CODE_NOT_VALID");
  const merchantId = await findMerchantOfShopCode(db, hash);
  if (merchantId === undefined) throw new ApiError("SHOP_CODE_NOT_VALID");
  // Names are resolved outside of the transaction.
  const url = await vetWebhookUrl(config.egress, request.webhookUrl, resolve);
  return forMerchant(context, merchantId).db.transaction(async (tx) => {
    const taken = await takeShopCode(tx, hash);
    if (taken === undefined || !mayConnect(taken.role)) throw new ApiError("SHOP_CODE_NOT_VALID");
    const within = { ...context, db: withinTransaction(tx) };
    const merchant = await getMerchant(within, merchantId);
    if (merchant.suspendedAt !== null) throw new ApiError("MERCHANT_SUSPENDED");
    const { site, address } = request;
    const { key, row } = await createApiKey(within, merchantId, { name: site, scopes: [...shopScopes] });
    // The shop keeps one secret, so that it refuses what an endpoint before would send.
    await deleteEndpointsAt(within, { merchantId, url });
    const eventTypes = shopEventTypes;
    const endpoint = await addEndpoint(tx, within, { merchantId, url, description: site, eventTypes });
    await insertAuditEntry(tx, {
      ...{ actor: `shop ${site}`, action: "connect shop", subject: `API key ${row.id}`, reason: "" },
      ...{
        before: null,
        after: { name: site, scopes: row.scopes, url, endpoint: endpoint.id, codeOf: taken.madeBy },
      },
      ...{ merchantId, address },
    });
    await enqueueTestEvent(within, tx, endpoint);
    return { apiKey: key, webhookSecret: endpoint.secret, endpointId: endpoint.id, merchantId };
  });
}

/** A code gives no right that its maker has lost. */
function mayConnect(role: MerchantRole | null): boolean {
  return role !== null && rightsToConnect.every((right) => scopesOfRole(role).includes(right));
}

/** @throws INVALID_WEBHOOK_URL with the name that the field has in this request. */
async function vetWebhookUrl(
  egress: ConnectContext["config"]["egress"],
  text: string,
  resolve: Resolve,
): Promise<string> {
  try {
    return await vetTarget(egress, text, resolve);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map((detail) => ({ ...detail, path: "webhookUrl" }));
    throw new ApiError(error.code, { message: error.message, details });
  }
}
