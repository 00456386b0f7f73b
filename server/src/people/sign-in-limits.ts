import { ApiError } from "../domain/errors.ts";
import { addressKey, createRateLimiter, type RateLimiter, refuseSpent } from "../http/rate-limit.ts";
import type { Context } from "./context.ts";
import { findPersonByEmail } from "./person-store.ts";
import { knowsAddress } from "./session-store.ts";

/** Wrong passwords of one account in a minute, from addresses that its person never signed in from. */
const WRONG_PASSWORDS_PER_MINUTE = 20;

/** A proof with a password: the account that it is for, and the address that it comes from. */
type Source = { readonly email: string; readonly ip: string };

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * Limits failed sign-ins. Passwords and passkeys have a limit of their own for each address, so wrong passwords hold up no passkey.
 * An account has a limit for wrong passwords too, which spares addresses that its person signed in from.
 */
export function createSignInLimits({ config, clock, db }: Context) {
  const perMinute = config.people.signInsPerMinute;
  const limiter = (burst: number, counted: string) =>
    createRateLimiter({ perSecond: burst / 60, burst, clock, counted });
  const passwordsOfAddress = failuresOf(limiter(perMinute, "wrong passwords from your address"));
  const passkeysOfAddress = failuresOf(limiter(perMinute, "refused passkeys from your address"));
  const ofAccount = limiter(WRONG_PASSWORDS_PER_MINUTE, "sign-ins to this account");

  async function refuseStranger({ email, ip }: Source): Promise<void> {
    const quota = ofAccount.inspect(email);
    if (quota.waitSeconds === 0) return;
    const person = await findPersonByEmail(db, email);
    const isKnown = person !== undefined && (await knowsAddress(db, person.id, ip));
    if (!isKnown) refuseSpent(ofAccount, quota);
  }

  return {
    /** Runs a sign-in by passkey. @throws RATE_LIMITED; what the sign-in throws. */
    passkey: <T>(ip: string, attempt: () => Promise<T>): Promise<T> => passkeysOfAddress(ip, attempt),
    /** Runs a sign-in by password. @throws RATE_LIMITED; what the sign-in throws. */
    password: <T>({ email, ip }: Source, attempt: () => Promise<T>): Promise<T> =>
      passwordsOfAddress(ip, async () => {
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
function failuresOf(limiter: RateLimiter) {
  const running = new Map<string, number>();
  return async <T>(ip: string, attempt: () => Promise<T>): Promise<T> => {
    const key = addressKey(ip);
    const others = running.get(key) ?? 0;
    const quota = limiter.inspect(key);
    if (quota.remaining <= others) refuseSpent(limiter, { ...quota, waitSeconds: quota.waitSeconds || 1 });
    running.set(key, others + 1);
    try {
      return await attempt();
    } catch (error) {
      if (isFailure(error)) limiter.take(key);
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
