import { OWN_KEY_ONLY } from "@daric/chain/nodes/wallet-permissions";
import { type Currency, perCurrency } from "@daric/domain/asset";
import { checkoutLanguages } from "@daric/domain/checkout";
import { type FiatCurrency, fiatCurrencies } from "@daric/domain/fiat";
import { fixedFeeField } from "@daric/domain/fixed-fee";
import { defaultAccountCodes, type JournalAccount, journalAccounts } from "@daric/domain/journal-account";
import { formatAmount } from "@daric/domain/money";
import { feeModes } from "@daric/domain/order";
import { amountText, timestamp } from "@daric/http/validate";
import type { Merchant } from "@daric/merchants/store";
import { z } from "zod";
import type { WalletRequest } from "./wallet-request-store.ts";

const id = z.string().meta({ format: "uuid" });
/** Longest text of a form; each field has its own rule beside. */
const MAX_TEXT = 2_048;
const formText = z.string().max(MAX_TEXT);

/** A picture of 100 kB in base64. */
const MAX_PICTURE_CHARS = 140_000;
export const LOGO_BODY_BYTES = 160_000;

/** The fixed fee of each coin. */
export const fixedFeesRow = z.object(perCurrency(() => amountText));

export const settingsRow = z.object({
  name: z.string(),
  logo_url: z.string().nullable(),
  support_email: z.string().nullable(),
  support_email_confirmed: z.boolean().meta({
    description:
      "Whether the reader of `support_email` confirmed it: then answers of payers to mails go there.",
  }),
  mail_configured: z.boolean().meta({ description: "Whether this service has a mail server." }),
  support_url: z.string().nullable(),
  accent_color: z.string(),
  checkout_languages: z.array(z.string()).nullable(),
  offered_languages: z.array(z.string()),
  embed_origins: z.array(z.string()),
  fee_mode: z.enum(feeModes),
  fee_basis_points: z.int(),
  fee_fixed: fixedFeesRow,
  order_lifetime_seconds: z.int(),
  open_lifetime_seconds: z.int(),
  late_window_seconds: z.int(),
  underpayment_tolerance: z.string().meta({ description: "In percent.", examples: ["0.5"] }),
  active_address_cap: z.int(),
  legal_name: z.string().nullable(),
  legal_address: z.string().nullable(),
  tax_id: z.string().nullable(),
  time_zone: z.string(),
  book_currency: z.enum(fiatCurrencies as [FiatCurrency, ...FiatCurrency[]]),
  account_codes: z.record(z.enum(journalAccounts as [JournalAccount, ...JournalAccount[]]), z.string()),
  suspended_at: timestamp.nullable(),
  updated_at: timestamp,
  embed_script: z.object({ url: z.string(), integrity: z.string() }),
});

/** The script that opens the payment page inside a shop's page. */
export type EmbedScript = z.input<typeof settingsRow>["embed_script"];

/** The settings of a merchant, with what it may choose from and use. */
export function toSettingsRow(
  merchant: Merchant,
  {
    embedScript,
    isMailConfigured,
  }: { readonly embedScript: EmbedScript; readonly isMailConfigured: boolean },
): z.input<typeof settingsRow> {
  const { supportEmail, confirmedSupportEmail } = merchant;
  return {
    name: merchant.name,
    logo_url: merchant.logoId === null ? null : `/checkout/logos/${merchant.logoId}`,
    support_email: supportEmail,
    support_email_confirmed: supportEmail !== null && supportEmail === confirmedSupportEmail,
    mail_configured: isMailConfigured,
    support_url: merchant.supportUrl,
    accent_color: merchant.accentColor,
    checkout_languages: merchant.checkoutLanguages && [...merchant.checkoutLanguages],
    offered_languages: [...checkoutLanguages],
    embed_origins: [...merchant.embedOrigins],
    fee_mode: merchant.feeMode,
    fee_basis_points: merchant.feeBasisPoints,
    fee_fixed: fixedFeesOf(merchant),
    order_lifetime_seconds: merchant.orderLifetimeSeconds,
    open_lifetime_seconds: merchant.openLifetimeSeconds,
    late_window_seconds: merchant.lateWindowSeconds,
    underpayment_tolerance: String(merchant.toleranceBasisPoints / 100),
    active_address_cap: merchant.activeAddressCap,
    legal_name: merchant.legalName,
    legal_address: merchant.legalAddress,
    tax_id: merchant.taxId,
    time_zone: merchant.timeZone,
    book_currency: merchant.bookCurrency,
    account_codes: { ...defaultAccountCodes, ...merchant.accountCodes },
    suspended_at: merchant.suspendedAt?.toISOString() ?? null,
    updated_at: merchant.updatedAt.toISOString(),
    embed_script: embedScript,
  };
}

export function fixedFeesOf(merchant: Merchant): Readonly<Record<Currency, string>> {
  return perCurrency((currency) => formatAmount(merchant[fixedFeeField(currency)]));
}

/** When the form's row was read: the row's `updated_at`. */
export const updatedAt = z.iso.datetime().transform((time) => new Date(time));

/** The values as texts, as the command line takes them; an empty text removes a value. */
export const settingsBody = z.object({
  updatedAt,
  name: formText.exactOptional(),
  supportEmail: formText.exactOptional(),
  supportUrl: formText.exactOptional(),
  accentColor: formText.exactOptional(),
  checkoutLanguages: formText.exactOptional().meta({ examples: ["en,ru"] }),
  embedOrigin: formText.exactOptional().meta({ examples: ["https://shop.example"] }),
  feeMode: formText.exactOptional(),
  orderLifetime: formText.exactOptional().meta({ examples: ["60m"] }),
  openLifetime: formText.exactOptional().meta({ examples: ["7d"] }),
  lateWindow: formText.exactOptional().meta({ examples: ["24h"] }),
  underpaymentTolerance: formText.exactOptional().meta({ examples: ["0.5"] }),
  legalName: formText.exactOptional(),
  legalAddress: formText.exactOptional(),
  taxId: formText.exactOptional(),
  timeZone: formText.exactOptional().meta({ examples: ["Europe/Berlin"] }),
});

/** How the books are kept, as texts of the command line. */
export const booksBody = z.object({
  updatedAt,
  bookCurrency: formText.exactOptional().meta({ examples: ["EUR"] }),
  accountCode: formText.exactOptional().meta({ examples: ["revenue=8400,held=1361"] }),
});

/** The picture itself, or the URL that it is fetched from once; neither removes it. */
export const logoBody = z.object({
  updatedAt,
  url: formText.exactOptional(),
  content: z.base64().max(MAX_PICTURE_CHARS).exactOptional(),
});

export const walletRequestRow = z.object({
  id,
  address: z.string(),
  label: z.string().nullable(),
  requested_by: id,
  created_at: timestamp,
  withdrawn_at: timestamp.nullable(),
  status: z.enum(["waiting", "added", "withdrawn"]),
  permissions: z.string().nullable().meta({
    description:
      "The keys that may move the wallet, as the person confirmed them: `own` or a digest. Null for older requests.",
  }),
  command: z.string().meta({ description: "The command by which the operator adds the wallet." }),
  approve_command: z.string().meta({
    description:
      "The command by which the operator approves the wallet at the signer; NAME and FILE are the operator's.",
  }),
});
export const walletRequestBody = z.object({
  address: formText,
  label: formText.exactOptional(),
  permissions: formText.exactOptional().meta({
    description:
      "Confirms that other keys have permissions on the wallet: the digest of the refusal WALLET_NOT_CONFIRMED.",
  }),
});

export function toWalletRequestRow(request: WalletRequest): z.input<typeof walletRequestRow> {
  const { merchantId, address, permissions } = request;
  const wallet = `--merchant ${merchantId} --address ${address}`;
  const confirmed = permissions === null ? "" : ` --permissions ${permissions}`;
  return {
    id: request.id,
    address,
    label: request.label,
    requested_by: request.personId,
    created_at: request.createdAt.toISOString(),
    withdrawn_at: request.withdrawnAt?.toISOString() ?? null,
    status: request.withdrawnAt !== null ? "withdrawn" : request.isAdded ? "added" : "waiting",
    permissions,
    command: `daric settlement-account add ${wallet}${permissions === OWN_KEY_ONLY ? "" : confirmed}`,
    approve_command: `daric-signer approve ${wallet}${confirmed} --name NAME --operator-key FILE`,
  };
}
