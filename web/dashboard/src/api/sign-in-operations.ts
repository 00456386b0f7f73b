import type { DashboardOperations as Dashboard } from "./dashboard-contract.ts";
import type { Shape } from "./operation-shape.ts";

/** The signed-in person, and what the person may do. */
export type Session = Dashboard["GET /dashboard/v1/session"]["answer"];
export type Person = Session["person"];
/** A merchant that the person works for. */
export type Membership = Session["memberships"][number];
export type Role = Membership["role"];
/** The purpose of a one-time link. */
export type LinkFacts = Dashboard["POST /dashboard/v1/links/look-up"]["answer"];
export type Passkey = Dashboard["GET /dashboard/v1/me/passkeys"]["answer"][number];

type Nothing = Record<string, never>;
type Proof = { password: string; code?: string } | { response: unknown };

/** Messages between the service and the browser's authenticator have the types of the browser. */
export type PasskeyOperations = {
  "POST /dashboard/v1/sign-in/passkey/options": Shape<{
    body: Nothing;
    answer: { options: PublicKeyCredentialRequestOptionsJSON };
  }>;
  "POST /dashboard/v1/sign-in/passkey": Shape<{ body: { response: unknown }; answer: Session }>;
  "POST /dashboard/v1/session/reauthenticate": Shape<{ body: Proof; answer: Session }>;
  "POST /dashboard/v1/me/passkeys/options": Shape<{
    body: Nothing;
    answer: { options: PublicKeyCredentialCreationOptionsJSON };
  }>;
  "POST /dashboard/v1/me/passkeys": Shape<{ body: { name: string; response: unknown }; answer: Passkey }>;
};
