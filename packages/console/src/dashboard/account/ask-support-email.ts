import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { MerchantId } from "@daric/domain/ids";
import { mailServerOf } from "@daric/egress/mail-settings";
import { sendMail } from "@daric/egress/send-mail";
import { supportEmailToken } from "@daric/merchants/confirm-support-email";
import { getMerchant } from "@daric/merchants/get-merchant";
import type { ContextOf } from "@daric/runtime/context";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";

/** The context that mails the link. */
export type AskingContext = ContextOf<
  Parameters<typeof mailServerOf>[0] & { readonly integrity: { readonly key: Buffer } }
>;

const DAY_MS = 86_400_000;
/** The Retry-After while the mail server is away. */
const RETRY_SECONDS = 60;

/** `allow` throws when an address or the merchant had too many mails. */
type Asking = {
  readonly actor: Actor;
  readonly merchantId: MerchantId;
  readonly allow: (address: string) => void;
};

/**
 * Mails a link to the support address of a merchant. By it the reader of the mailbox confirms the address. From then on answers of
 * payers go there.
 *
 * @throws VALIDATION_ERROR without an address; NOT_FOUND without a mail server or a public address of the service; RATE_LIMITED;
 * SERVICE_UNAVAILABLE if the mail server does not take the mail.
 */
export async function askSupportEmail(
  context: AskingContext,
  { actor, merchantId, allow }: Asking,
): Promise<void> {
  const { db, clock, config, log } = context;
  const server = mailServerOf(config);
  const { publicBaseUrl } = config.http;
  if (server === undefined || publicBaseUrl === undefined)
    throw new ApiError("NOT_FOUND", { message: "This service has no mail server, or no public address." });
  const { supportEmail: address } = await getMerchant(context, merchantId);
  if (address === null) throw new ApiError("VALIDATION_ERROR", { details: [NO_ADDRESS] });
  allow(address);
  const expiresAt = new Date(clock.now().getTime() + DAY_MS);
  const token = supportEmailToken(config.integrity.key, { merchantId, address, expiresAt });
  const mail = mailOf({ address, url: `${publicBaseUrl}/confirm/${token}` });
  try {
    await sendMail(server, { to: [address], ...mail });
  } catch (error) {
    log.warn({ event: "mail_not_sent", err: error }, "a support address could not be asked");
    throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_SECONDS });
  }
  const [action, subject] = ["ask support address", `merchant ${merchantId}`];
  await auditAct(db, actor, { action, subject, after: { supportEmail: address }, merchantId });
}

const NO_ADDRESS = { path: "supportEmail", message: "is empty", rule: fieldRule("required") };

/** No word of the merchant is in it: anybody can be asked. The page of the link names the shop. */
function mailOf({ address, url }: { readonly address: string; readonly url: string }) {
  const { host } = new URL(url);
  return {
    subject: `Confirm this address for a shop at ${host}`,
    text: [
      `A shop at ${host} gives ${address} as the address for its payers.`,
      "Confirm it, and answers of payers to our mails come here:",
      "",
      url,
      "",
      "The link holds for 24 hours. If you did not expect it, ignore this mail.",
    ].join("\n"),
  };
}
