import type { Shape } from "./operation-shape.ts";

export type Role = "owner" | "admin" | "developer" | "viewer";

/** A merchant that the person works for. */
export type Membership = {
  merchant_id: string;
  merchant_name: string;
  role: Role;
  scopes: string[];
};

export type Person = {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  has_totp: boolean;
  passkeys: number;
  recovery_codes_left: number;
};

/** The signed-in person, and what the person may do. */
export type Session = {
  person: Person;
  memberships: Membership[];
  csrf_token: string;
  environment: "live" | "test";
  network: string;
  reauthenticated_at: string;
  reauthenticated_until: string;
  expires_at: string;
  second_factor_missing: boolean;
};

export type OpenSession = {
  id: string;
  created_at: string;
  seen_at: string;
  address: string | null;
  user_agent: string | null;
  is_current: boolean;
};

/** What a one-time link is for. */
export type LinkFacts = {
  kind: "invitation" | "reset";
  email: string;
  merchant_name: string | null;
  role: Role | null;
  is_operator: boolean;
  expires_at: string;
  has_account: boolean;
};

export type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null };

type Proof = { password: string; code?: string } | { response: unknown };

/** Operations of sign-in, of the session and of a person's own security. */
export type SignInOperations = {
  "POST /dashboard/v1/sign-in": Shape<{
    body: { email: string; password: string; code?: string };
    answer: Session;
  }>;
  "POST /dashboard/v1/sign-in/passkey/options": Shape<{
    body: Record<string, never>;
    answer: { options: PublicKeyCredentialRequestOptionsJSON };
  }>;
  "POST /dashboard/v1/sign-in/passkey": Shape<{ body: { response: unknown }; answer: Session }>;
  "GET /dashboard/v1/session": Shape<{ answer: Session }>;
  "POST /dashboard/v1/sign-out": Shape<{ body: Record<string, never>; answer: { signed_out: true } }>;
  "POST /dashboard/v1/session/reauthenticate": Shape<{ body: Proof; answer: Session }>;
  "GET /dashboard/v1/sessions": Shape<{ answer: OpenSession[] }>;
  "DELETE /dashboard/v1/sessions/{id}": Shape<{ path: { id: string }; answer: OpenSession }>;
  "POST /dashboard/v1/sessions/end-others": Shape<{
    body: Record<string, never>;
    answer: { ended: number };
  }>;
  "POST /dashboard/v1/me/password": Shape<{
    body: { password: string; newPassword: string };
    answer: Session;
  }>;
  "PATCH /dashboard/v1/me": Shape<{ body: { name: string }; answer: Session }>;
  "POST /dashboard/v1/me/totp": Shape<{
    body: Record<string, never>;
    answer: { secret: string; uri: string; qr: string };
  }>;
  "POST /dashboard/v1/me/totp/confirm": Shape<{
    body: { secret: string; code: string };
    answer: { recovery_codes: string[]; session: Session };
  }>;
  "DELETE /dashboard/v1/me/totp": Shape<{ answer: Session }>;
  "POST /dashboard/v1/me/recovery-codes": Shape<{
    body: Record<string, never>;
    answer: { recovery_codes: string[] };
  }>;
  "GET /dashboard/v1/me/passkeys": Shape<{ answer: Passkey[] }>;
  "POST /dashboard/v1/me/passkeys/options": Shape<{
    body: Record<string, never>;
    answer: { options: PublicKeyCredentialCreationOptionsJSON };
  }>;
  "POST /dashboard/v1/me/passkeys": Shape<{ body: { name: string; response: unknown }; answer: Passkey }>;
  "DELETE /dashboard/v1/me/passkeys/{passkeyId}": Shape<{ path: { passkeyId: string }; answer: Passkey }>;
  "POST /dashboard/v1/links/look-up": Shape<{ body: { token: string }; answer: LinkFacts }>;
  "POST /dashboard/v1/links/accept": Shape<{
    body: { token: string; name?: string; password?: string };
    /** null after a reset: the person signs in */
    answer: { session: Session | null };
  }>;
};
