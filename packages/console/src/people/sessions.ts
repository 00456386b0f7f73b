import type { Session } from "@daric/domain/session";
import type { Queryable } from "@daric/postgres/sql";
import { peppersOf, type RightsContext, type SessionContext } from "./context.ts";
import { areRightsOurs } from "./rights.ts";
import { findSession, markSeen } from "./session-store.ts";
import { csrfTokenOf, readToken } from "./token.ts";

/** Finds sessions by their tokens, for the guard of the routes. */
export type Sessions = {
  find(token: string): Promise<Session | undefined>;
  csrfTokenOf(token: string): string;
};

/** Each request reads its session again, so that a removed right ends with the next request. */
export function createSessions(context: SessionContext): Sessions {
  const { config, db } = context;
  return {
    find: async (token) => {
      const read = readToken(peppersOf(config), "session", token);
      const found = read && (await findOwnSession(context, db, read));
      if (found === undefined) return undefined;
      if (found.isSeenDue) await markSeen(db, found.session.id);
      return found.session;
    },
    csrfTokenOf: (token) => csrfTokenOf(config.merchants.keyPepper, token),
  };
}

/** The live session of a token; undefined, with an alarm, if the rights of its person are not those that Daric wrote. */
export async function findOwnSession(
  context: RightsContext,
  db: Queryable,
  token: Parameters<typeof findSession>[1],
): Promise<{ readonly session: Session; readonly isSeenDue: boolean } | undefined> {
  const found = await findSession(db, token);
  if (found === undefined || !areRightsOurs(context, found.personId, found)) return undefined;
  const { isSeenDue, passkeyKeys, rightsMac, ...session } = found;
  return { session: { ...session, passkeys: passkeyKeys.length }, isSeenDue };
}
