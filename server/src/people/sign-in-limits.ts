import { ApiError } from "../domain/errors.ts";
import type { Context } from "./context.ts";
import { findPersonByEmail } from "./person-store.ts";
import { knowsAddress } from "./session-store.ts";

/** The most wrong passwords of one account in a minute, from addresses that its person never signed in from. */
const WRONG_PASSWORDS_PER_MINUTE = 20;

/** The source of a password: its account, its address, and the key that counts the address. */
type Source = { readonly email: string; readonly ip: string; readonly key: string };

/** A limit of events a minute for each key. */
export type EventLimit = {
  readonly remaining: (key: string) => number;
  readonly take: (key: string) => void;
  /** @throws RATE_LIMITED with the seconds to wait. */
  readonly refuse: (key: string) => void;
};
/** Makes a limit; `counted` is a plural noun for its events. */
type NewLimit = (perMinute: number, counted: string) => EventLimit;

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * Limits failed sign-ins. Passwords and passkeys have a limit of their own for each address, so wrong passwords hold up no passkey.
 * An account has a limit for wrong passwords too, which spares addresses that its person signed in from.
 */
export function createSignInLimits({ config, db }: Context, limit: NewLimit) {
  const perMinute = config.people.signInsPerMinute;
  const passwordsOfAddress = failuresOf(limit(perMinute, "wrong passwords from your address"));
  const passkeysOfAddress = failuresOf(limit(perMinute, "refused passkeys from your address"));
  const ofAccount = limit(WRONG_PASSWORDS_PER_MINUTE, "sign-ins to this account");

  async function refuseStranger({ email, ip }: Omit<Source, "key">): Promise<void> {
    if (ofAccount.remaining(email) > 0) return;
    const person = await findPersonByEmail(db, email);
    const isKnown = person !== undefined && (await knowsAddress(db, person.id, ip));
    if (!isKnown) ofAccount.refuse(email);
  }

  return {
    /** Runs a sign-in by passkey. @throws RATE_LIMITED; what the sign-in throws. */
    passkey: <T>(key: string, attempt: () => Promise<T>): Promise<T> => passkeysOfAddress(key, attempt),
    /** Runs a sign-in by password. @throws RATE_LIMITED; what the sign-in throws. */
    password: <T>({ email, ip, key }: Source, attempt: () => Promise<T>): Promise<T> =>
      passwordsOfAddress(key, async () => {
        const account = email.toLowerCase();
        await refuseStranger({ email: account, ip });
        return attempt().catch((error: unknown) => {
          if (isFailure(error)) ofAccount.take(account);
          throw error;
        });
      }),
  };
}

/**
 * Counts failures by address. A missing or wrong code is none: the wait after wrong codes is the account's. An attempt that still runs
 * counts, so that many at once gain nothing.
 */
function failuresOf(limit: EventLimit) {
  const running = new Map<string, number>();
  return async <T>(key: string, attempt: () => Promise<T>): Promise<T> => {
    const others = running.get(key) ?? 0;
    if (limit.remaining(key) <= others) limit.refuse(key);
    running.set(key, others + 1);
    try {
      return await attempt();
    } catch (error) {
      if (isFailure(error)) limit.take(key);
      throw error;
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}

function isFailure(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SIGN_IN_FAILED";
}
