import type { Grants } from "@daric/postgres/grants";

/** The terms of a merchant that people may set: all but fees. */
const merchantTerms = [
  "name",
  "logo_url",
  "logo_id",
  "support_email",
  "confirmed_support_email",
  "support_url",
  "accent_color",
  "checkout_languages",
  "embed_origins",
  "fee_mode",
  "order_lifetime_seconds",
  "open_lifetime_seconds",
  "late_window_seconds",
  "underpayment_tolerance_basis_points",
  "active_address_cap",
  "legal_name",
  "legal_address",
  "tax_id",
  "time_zone",
  "book_currency",
  "account_codes",
] as const;

/** The columns of merchants that forms of the dashboard write. Only the owner of the tables writes fees and wallets. */
export const merchantGrants = {
  merchants: {
    insert: ["id", ...merchantTerms],
    update: [...merchantTerms, "suspended_at", "terms_version", "updated_at"],
  },
  logos: { insert: true, update: ["created_at"] },
} as const satisfies Grants;
