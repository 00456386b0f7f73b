import { ApiError } from "@daric/domain/errors";
import { type Context, masterKeysOf, peppersOf } from "./context.ts";
import { claimCodeAttempt, findPerson, type Person, takeRecoveryCode, takeTotpStep } from "./person-store.ts";
import { hashRecoveryCode, openTotp, stepOfCode } from "./totp.ts";

/** The wrong codes after a right password before the next one must wait, and its longest wait. */
const WRONG_CODES = { free: 5, maxWaitSeconds: 300 };

const CODE_WAS_USED = "This code was used already: wait for the next one.";

/**
 * Checks the code of an app, or a recovery code. A person with a passkey and without an app uses recovery codes
 * beside the password.
 *
 * @throws CODE_REQUIRED; WRONG_CODE; RATE_LIMITED after too many wrong codes.
 */
export async function proveSecondFactor(
  context: Context,
  person: Person,
  code: string | undefined,
): Promise<void> {
  if (person.totpCiphertext === null && person.passkeys === 0) return;
  if (code === undefined || code.trim() === "") throw new ApiError("CODE_REQUIRED");
  if (/^\s*\d{3}\s*\d{3}\s*$/.test(code)) return proveTotp(context, person, code.replaceAll(/\s/g, ""));
  for (const pepper of peppersOf(context.config)) {
    const hash = hashRecoveryCode(pepper, person.id, code);
    if (hash !== undefined && (await takeRecoveryCode(context.db, person.id, hash))) return;
  }
  throw new ApiError("WRONG_CODE");
}

async function proveTotp({ db, config, clock }: Context, person: Person, code: string): Promise<void> {
  if (!(await claimCodeAttempt(db, person.id, WRONG_CODES)))
    throw tooEarly((await findPerson(db, person.id)) ?? person);
  const secret = person.totpCiphertext && openTotp(masterKeysOf(config), person.id, person.totpCiphertext);
  const step = secret === null ? undefined : stepOfCode(secret, code, clock.now());
  if (step === undefined) throw new ApiError("WRONG_CODE");
  if (!(await takeTotpStep(db, person.id, step)))
    throw new ApiError("WRONG_CODE", { message: CODE_WAS_USED });
}

/** The refusal of a code whose wait, as {@link claimCodeAttempt} counts it, is not over. */
function tooEarly({ wrongCodes, wrongCodeAgeSeconds }: Person): ApiError {
  const wholeWait = Math.min(WRONG_CODES.maxWaitSeconds, 2 ** (wrongCodes - WRONG_CODES.free));
  const retryAfterSeconds = Math.max(1, Math.ceil(wholeWait - (wrongCodeAgeSeconds ?? 0)));
  const message = `Too many wrong codes. Retry in ${retryAfterSeconds} s, or use a recovery code or a passkey.`;
  return new ApiError("RATE_LIMITED", { message, retryAfterSeconds });
}
