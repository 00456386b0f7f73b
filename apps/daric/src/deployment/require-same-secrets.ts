import type { Queryable } from "@daric/postgres/sql";
import { ConfigError } from "@daric/runtime/setting";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import type { ClaimContext } from "./context.ts";
import {
  checksOf,
  fingerprintOf,
  previousChecksOf,
  type SecretChecks,
  type SecretName,
  type Secrets,
  secretNames,
  xpubCheck,
} from "./secret-checks.ts";
import { listAccountXpubs } from "./store.ts";

const LOST = 'if it is lost, see docs/database.md, "Backups and secrets"';

/**
 * Compares the given secrets with the checks in the database. A secret that is missing on either side always fits,
 * and so does one that is being rotated.
 *
 * @throws ConfigError with a line for each difference: the variable, the consequence and the remedy. No line has a
 * secret.
 */
export async function requireSameSecrets(
  { config: secrets, variableOf }: Pick<ClaimContext, "config" | "variableOf">,
  db: Queryable,
  stored: SecretChecks,
): Promise<void> {
  const given = checksOf(secrets);
  const previous = previousChecksOf(secrets);
  const isOther = (name: SecretName) => {
    const [ours, theirs] = [stored[name], given[name]];
    const isPrevious = ours !== null && previous[name]?.equals(ours) === true;
    return ours !== null && theirs !== null && !ours.equals(theirs) && !isPrevious;
  };
  const faults = await Promise.all(
    secretNames
      .filter(isOther)
      .map(async (name) => `${variableOf(name)} ${await faultOf(db, name, { stored, secrets })}`),
  );
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
}

/** The fault of a secret, to follow its variable. */
async function faultOf(
  db: Queryable,
  name: SecretName,
  { stored, secrets }: { stored: SecretChecks; secrets: Secrets },
): Promise<string> {
  const isNot = "is not the one of this database";
  switch (name) {
    case "merchants.keyPepper":
      return `${isNot}: every API key would be refused. Use the old value; ${LOST}`;
    case "webhooks.masterKey":
      return `${isNot}: no webhook could be signed. Use the old value; ${LOST}`;
    case "integrity.key":
      return `${isNot}: no address could be shown and no event sent. Use the old value; ${LOST}`;
    case "addresses.accountXpub": {
      const known = await listAccountXpubs(db);
      const ours = known.find((xpub) => stored[name]?.equals(xpubCheck(xpub)));
      return (
        `is not the one of this database (${described(stored[name], ours)}) but ` +
        `${described(checksOf(secrets)[name], secrets.addresses?.accountXpub)}: payments would go to another seed. ` +
        "Use the old xpub, or another database for another seed"
      );
    }
  }
}

/** The first address, which an operator can compare in a wallet; unknown if no address was ever derived. */
function described(check: Buffer | null, xpub: string | undefined): string {
  const fingerprint = `fingerprint ${fingerprintOf(check)}`;
  if (xpub === undefined) return fingerprint;
  return `${fingerprint}, first address ${deriveReceiveAddress(parseAccountXpub(xpub), 0)}`;
}
