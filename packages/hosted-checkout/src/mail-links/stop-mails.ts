import { findCharge } from "@daric/charges/charge";
import { openCustomerEmail } from "@daric/charges/customer-email";
import type { ChargeRef } from "@daric/domain/ids";
import { addressHashOf, stopUnsubscribed } from "@daric/messages/mail-stop-store";
import type { Database } from "@daric/postgres/sql";
import { currentFirst } from "@daric/runtime/seal";

type StoppingContext = {
  readonly db: Database;
  readonly config: {
    readonly integrity: { readonly key: Buffer };
    readonly webhooks: { readonly masterKey: Buffer; readonly previousMasterKey: Buffer | undefined };
  };
};

/** Ends mails of the merchant of an order to the order's address. Again it changes nothing; a forgotten address gets no mail anyway. */
export async function stopMails(context: StoppingContext, ref: ChargeRef): Promise<void> {
  const { db, config } = context;
  const { masterKey, previousMasterKey } = config.webhooks;
  const charge = await findCharge(db, ref);
  if (!charge?.sealedCustomerEmail) return;
  const masterKeys = currentFirst(masterKey, previousMasterKey);
  const known = openCustomerEmail(masterKeys, charge, charge.sealedCustomerEmail);
  if (known !== null) await stopUnsubscribed(db, ref.merchantId, addressHashOf(context, known.email));
}
