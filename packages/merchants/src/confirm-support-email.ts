import { type MerchantId, parseId } from "@daric/domain/ids";
import type { Clock } from "@daric/runtime/clock";
import { readSignedToken, signedToken } from "@daric/runtime/mac";
import type { Context } from "./context.ts";
import { storeConfirmedSupportEmail } from "./store.ts";

/** An address that is to be confirmed, and until when its link holds. */
export type AskedAddress = {
  readonly merchantId: MerchantId;
  readonly address: string;
  readonly expiresAt: Date;
};

/** The token of the link that is mailed to a support address: its reader proves to have the mailbox. */
export function supportEmailToken(
  integrityKey: Buffer,
  { merchantId, address, expiresAt }: AskedAddress,
): string {
  const content = Buffer.from(`${merchantId} ${expiresAt.getTime()} ${address}`);
  return signedToken(integrityKey, "support address", content);
}

/** The inverse of `supportEmailToken`; undefined for a text that we did not make. */
export function readSupportEmailToken(integrityKey: Buffer, token: string): AskedAddress | undefined {
  const [id = "", expiresMs, address = ""] =
    readSignedToken(integrityKey, "support address", token)?.toString().split(" ") ?? [];
  const merchantId = parseId("merchant", id);
  return merchantId && { merchantId, address, expiresAt: new Date(Number(expiresMs)) };
}

/** The reader of a link confirms its address; false if the link is over, or the merchant has another address by now. */
export async function confirmSupportEmail(
  { db, clock }: Pick<Context, "db"> & { readonly clock: Pick<Clock, "now"> },
  { merchantId, address, expiresAt }: AskedAddress,
): Promise<boolean> {
  if (expiresAt <= clock.now()) return false;
  return storeConfirmedSupportEmail(db.forTenant(merchantId), merchantId, address);
}
