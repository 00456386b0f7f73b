import type { MerchantId, RefundId } from "@daric/domain/ids";
import { bytesOfIds, ID_BYTES, idOfBytes } from "@daric/runtime/id-bytes";
import { readSignedToken, signedToken } from "@daric/runtime/mac";
import type { Refund, SealingContext } from "./refund.ts";

const NUMBER_BYTES = 4;

/** The refund behind a claim link, and which of its links it is. */
export type ClaimLink = {
  readonly merchantId: MerchantId;
  readonly id: RefundId;
  readonly claimNumber: number;
};

/** The token of a refund's claim link. It is computed, and stored nowhere. */
export function claimToken({ config }: SealingContext, { merchantId, id, claimNumber }: ClaimLink): string {
  const number = Buffer.alloc(NUMBER_BYTES);
  number.writeUInt32BE(claimNumber);
  return signedToken(
    config.integrity.key,
    "refund claim",
    Buffer.concat([bytesOfIds(merchantId, id), number]),
  );
}

/** The claim link of a token; undefined for a text that we did not make. It needs no query. */
export function readClaimToken({ config }: SealingContext, token: string): ClaimLink | undefined {
  const content = readSignedToken(config.integrity.key, "refund claim", token);
  if (content?.length !== 2 * ID_BYTES + NUMBER_BYTES) return undefined;
  const merchantId = idOfBytes("merchant", content.subarray(0, ID_BYTES));
  const id = idOfBytes("refund", content.subarray(ID_BYTES, 2 * ID_BYTES));
  return merchantId && id && { merchantId, id, claimNumber: content.readUInt32BE(2 * ID_BYTES) };
}

/** The page where the payer names an address; null without a public base URL. */
export function claimUrl(
  context: SealingContext,
  publicBaseUrl: string | undefined,
  refund: Pick<Refund, "merchantId" | "id" | "claimNumber">,
): string | null {
  return publicBaseUrl === undefined ? null : `${publicBaseUrl}/r/${claimToken(context, refund)}`;
}
