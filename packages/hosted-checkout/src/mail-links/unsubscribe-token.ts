import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { bytesOfIds, ID_BYTES, idOfBytes } from "@daric/runtime/id-bytes";
import { readSignedToken, signedToken } from "@daric/runtime/mac";

type KeyContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };
type UrlContext = {
  readonly config: KeyContext["config"] & { readonly http: { readonly publicBaseUrl: string | undefined } };
};
/** The order whose mail has the link. */
type MailedOrder = { readonly merchantId: MerchantId; readonly chargeId: ChargeId };

/**
 * The page that ends mails of this merchant to the address of this order, for the link and the header `List-Unsubscribe` of a mail. A POST
 * to it acts. Undefined without a public base URL.
 */
export function unsubscribeUrl(
  context: UrlContext,
  { language, ...order }: MailedOrder & { readonly language: string },
): string | undefined {
  const { publicBaseUrl } = context.config.http;
  if (publicBaseUrl === undefined) return undefined;
  const query = `?lang=${encodeURIComponent(language)}`;
  return `${publicBaseUrl}/u/${unsubscribeToken(context, order)}${query}`;
}

export function unsubscribeToken({ config }: KeyContext, { merchantId, chargeId }: MailedOrder): string {
  return signedToken(config.integrity.key, "unsubscribe", bytesOfIds(merchantId, chargeId));
}

/** The order of a token; undefined for a text that we did not make. */
export function readUnsubscribeToken({ config }: KeyContext, token: string): MailedOrder | undefined {
  const ids = readSignedToken(config.integrity.key, "unsubscribe", token);
  const merchantId = ids && idOfBytes("merchant", ids.subarray(0, ID_BYTES));
  const chargeId = ids && idOfBytes("charge", ids.subarray(ID_BYTES));
  return merchantId && chargeId && { merchantId, chargeId };
}
