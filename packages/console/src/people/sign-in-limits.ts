import { createHmac } from "node:crypto";
import { ApiError } from "@daric/domain/errors";
import type { PersonId } from "@daric/domain/ids";
import type { Context } from "./context.ts";
import { findPersonByEmail } from "./person-store.ts";
import { listSignInAddresses } from "./session-store.ts";

/** The most wrong passwords of one account in a minute, from networks that its person never signed in from. */
const WRONG_PASSWORDS_PER_MINUTE = 20;
/** The most sign-ins of one account, or by one passkey, in a minute: each writes a session and an entry of the audit log. */
const SIGN_INS_PER_MINUTE = 30;

/** The source of a password: its account and its address. */
type Source = { readonly email: string; readonly ip: string };

/** A limit of events a minute for each key. */
export type EventLimit = {
  readonly remaining: (key: string) => number;
  readonly take: (key: string) => void;
  /** Returns what `take` took, for an event that does not count. */
  readonly giveBack: (key: string) => void;
  /** @throws RATE_LIMITED with the seconds to wait. */
  readonly refuse: (key: string) => void;
};
/** Makes limits for sign-ins; `counted` is a plural noun for the events. */
type NewLimits = {
  readonly perKey: (perMinute: number, counted: string) => EventLimit;
  /** the key is the address of a client */
  readonly perAddress: (perMinute: number, counted: string) => EventLimit;
  /** the network of an address */
  readonly networkOf: (ip: string) => string;
};

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * Limits sign-ins and all other proofs of a password. Passwords and passkeys have a limit of their own for each address, so wrong
 * passwords hold up no passkey. An account has a limit for wrong passwords too, which spares networks that its person signed in from.
 */
export function createSignInLimits(
  { config, db, log }: Context,
  { perKey, perAddress, networkOf }: NewLimits,
) {
  const perMinute = config.people.signInsPerMinute;
  const passwordsOfAddress = failuresOf(perAddress(perMinute, "wrong passwords from your address"));
  const passkeysOfAddress = failuresOf(perAddress(perMinute, "refused passkeys from your address"));
  const wrongOfAccount = perKey(WRONG_PASSWORDS_PER_MINUTE, "sign-ins to this account");
  const wrongPasswords = failuresOf(wrongOfAccount);
  const signIns = successesOf(perKey(SIGN_INS_PER_MINUTE, "sign-ins to this account"));

  /** Whether the person of this account signed in from this network before. */
  async function isKnown({ email, ip }: Source): Promise<boolean> {
    const person = await findPersonByEmail(db, email);
    return person !== undefined && isKnownNetwork(person.id, ip);
  }

  async function isKnownNetwork(personId: PersonId, ip: string): Promise<boolean> {
    const addresses = await listSignInAddresses(db, personId);
    return addresses.some((address) => networkOf(address) === networkOf(ip));
  }

  /** Leaves a trace of each wrong password, passkey and code. An unknown e-mail is not written: it may be a mistyped password. */
  async function reportFailure(error: unknown, ip: string, email?: string): Promise<void> {
    if (!isRefusal(error, "SIGN_IN_FAILED", "WRONG_CODE")) return;
    const person = email === undefined ? undefined : await findPersonByEmail(db, email);
    const account =
      email &&
      createHmac("sha256", config.merchants.keyPepper).update(`account ${email}`).digest("hex").slice(0, 16);
    const whose = person === undefined ? { account } : { person_id: person.id };
    log.warn(
      { event: "sign_in_failed", ...whose, address: ip, code: error.code },
      "a password, a passkey or a code was wrong",
    );
  }

  return {
    /** Runs a proof by the passkey with this id. @throws RATE_LIMITED; what the proof throws. */
    passkey: <T>({ id, ip }: { readonly id: string; readonly ip: string }, prove: Prove<T>): Promise<T> =>
      passkeysOfAddress(ip, () =>
        signIns(id, prove).catch(async (error: unknown) => {
          await reportFailure(error, ip);
          throw error;
        }),
      ),
    /** Runs a proof by a password. @throws RATE_LIMITED; what the proof throws. */
    password: <T>({ email, ip }: Source, prove: Prove<T>): Promise<T> =>
      passwordsOfAddress(ip, async () => {
        const account = email.toLowerCase();
        const proveOnce = () =>
          signIns(account, prove).catch(async (error: unknown) => {
            await reportFailure(error, ip, account);
            throw error;
          });
        const goesBeyond = wrongOfAccount.remaining(account) < 1 && (await isKnown({ email: account, ip }));
        return goesBeyond ? proveOnce() : wrongPasswords(account, proveOnce);
      }),
  };
}

type Prove<T> = () => Promise<T>;
type Limited = <T>(key: string, prove: Prove<T>) => Promise<T>;

/** Counts failures. A missing or wrong code is none: the wait after wrong codes is the account's. */
function failuresOf(limit: EventLimit): Limited {
  return counting(limit, { result: false, error: isFailure });
}

function successesOf(limit: EventLimit): Limited {
  return counting(limit, { result: true, error: () => false });
}

/** A proof that still runs counts, so that many at once gain nothing. */
function counting(
  limit: EventLimit,
  counts: { readonly result: boolean; readonly error: (error: unknown) => boolean },
): Limited {
  return async (key, prove) => {
    if (limit.remaining(key) < 1) limit.refuse(key);
    limit.take(key);
    try {
      const result = await prove();
      if (!counts.result) limit.giveBack(key);
      return result;
    } catch (error) {
      if (!counts.error(error)) limit.giveBack(key);
      throw error;
    }
  };
}

function isFailure(error: unknown): boolean {
  return isRefusal(error, "SIGN_IN_FAILED");
}

function isRefusal(error: unknown, ...codes: ApiError["code"][]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
