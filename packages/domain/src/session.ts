import type { MerchantId, PersonId, SessionId } from "./ids.ts";
import type { MerchantRole } from "./merchant-role.ts";

export type Membership = { readonly merchantId: MerchantId; readonly role: MerchantRole };

/** A signed-in person, as read for one request. */
export type Session = {
  readonly id: SessionId;
  readonly personId: PersonId;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
  readonly memberships: readonly Membership[];
  /** the last proof of password and second factor, or of a passkey */
  readonly reauthenticatedAt: Date;
  /** that proof is at most {@link PROVEN_MS} old */
  readonly isProven: boolean;
  readonly expiresAt: Date;
};

/** How long a proof allows changes of keys, wallets, second factors and roles. */
export const PROVEN_MS = 5 * 60_000;

export function hasSecondFactor({ hasTotp, passkeys }: Pick<Session, "hasTotp" | "passkeys">): boolean {
  return hasTotp || passkeys > 0;
}
