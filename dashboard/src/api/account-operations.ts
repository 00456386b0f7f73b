import type { Shape } from "./operation-shape.ts";
import type { Role } from "./sign-in-operations.ts";

export type Member = {
  id: string;
  email: string;
  name: string;
  role: Role;
  has_second_factor: boolean;
  disabled: boolean;
  joined_at: string;
  last_seen_at: string | null;
};

export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: string;
  expires_at: string;
};

/** `link` is null where it was mailed. */
export type IssuedLink = { email: string; link: string | null };

export type ApiKey = {
  id: string;
  prefix: string;
  name: string | null;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
};

export type Settings = {
  name: string;
  logo_url: string | null;
  support_email: string | null;
  support_url: string | null;
  accent_color: string;
  /** null: all that are offered */
  checkout_languages: string[] | null;
  offered_languages: string[];
  fee_mode: "merchant" | "client";
  order_lifetime_seconds: number;
  open_lifetime_seconds: number;
  late_window_seconds: number;
  /** in per cent */
  underpayment_tolerance: string;
  active_address_cap: number;
  fee_basis_points: number;
  fee_fixed: { USDT: string; TRX: string };
  suspended_at: string | null;
  updated_at: string;
};

/** The settings that a form sends, in the texts of the command line. */
export type SettingsChange = {
  name?: string;
  accentColor?: string;
  /** tags with commas between them; empty for all that are offered */
  checkoutLanguages?: string;
  supportEmail?: string;
  supportUrl?: string;
  feeMode?: string;
  orderLifetime?: string;
  openLifetime?: string;
  lateWindow?: string;
  underpaymentTolerance?: string;
};

export type WalletRequest = {
  id: string;
  address: string;
  label: string | null;
  requested_by: string;
  created_at: string;
  withdrawn_at: string | null;
  status: "waiting" | "added" | "withdrawn";
  /** what the operator runs to add the wallet */
  command: string;
};

type KeyWithSecret = ApiKey & { key: string };
type ById = { id: string };

/** Operations of a merchant's account: people, keys, settings and wallets. */
export type AccountOperations = {
  "GET /dashboard/v1/people": Shape<{ answer: Member[] }>;
  "PATCH /dashboard/v1/people/{id}": Shape<{
    path: ById;
    body: { role: Role; shownRole: Role };
    answer: Member;
  }>;
  "DELETE /dashboard/v1/people/{id}": Shape<{ path: ById; answer: Member }>;
  "GET /dashboard/v1/invitations": Shape<{ answer: Invitation[] }>;
  "POST /dashboard/v1/invitations": Shape<{
    body: { email: string; role: Role };
    answer: Invitation & IssuedLink;
  }>;
  "DELETE /dashboard/v1/invitations/{id}": Shape<{ path: ById; answer: Invitation }>;
  "GET /dashboard/v1/keys": Shape<{ answer: ApiKey[] }>;
  "POST /dashboard/v1/keys": Shape<{
    body: { name?: string; scopes?: string[]; expiresIn?: string };
    answer: KeyWithSecret;
  }>;
  "POST /dashboard/v1/keys/{id}/rotate": Shape<{
    path: ById;
    body: { overlap?: string };
    answer: KeyWithSecret & { previous_id: string; previous_expires_at: string | null };
  }>;
  "POST /dashboard/v1/keys/{id}/revoke": Shape<{ path: ById; body: Record<string, never>; answer: ApiKey }>;
  "GET /dashboard/v1/settings": Shape<{ answer: Settings }>;
  "PATCH /dashboard/v1/settings": Shape<{
    body: SettingsChange & { updatedAt: string };
    answer: Settings;
  }>;
  "PUT /dashboard/v1/settings/logo": Shape<{
    body: { updatedAt: string; content?: string; url?: string };
    answer: Settings;
  }>;
  "GET /dashboard/v1/wallet-requests": Shape<{ answer: WalletRequest[] }>;
  "POST /dashboard/v1/wallet-requests": Shape<{
    body: { address: string; label?: string };
    answer: WalletRequest;
  }>;
  "DELETE /dashboard/v1/wallet-requests/{id}": Shape<{ path: ById; answer: WalletRequest }>;
};
