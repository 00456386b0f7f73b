import type { Session } from "../domain/session.ts";
import { type Context, peppersOf } from "./context.ts";
import { findSession, markSeen } from "./session-store.ts";
import { csrfTokenOf, hashToken } from "./token.ts";

/** Finds sessions by their tokens, for the guard of the routes. */
export type Sessions = {
  find(token: string): Promise<Session | undefined>;
  csrfTokenOf(token: string): string;
};

/** Each request reads its session again, so that a removed right ends with the next request. */
export function createSessions({ config, db }: Pick<Context, "config" | "db">): Sessions {
  const pepper = config.merchants.keyPepper;
  return {
    find: async (token) => {
      const hash = hashToken(peppersOf(config), "session", token);
      const found = hash && (await findSession(db, hash));
      if (found === undefined) return undefined;
      const { isSeenDue, ...session } = found;
      if (isSeenDue) await markSeen(db, session.id);
      return session;
    },
    csrfTokenOf: (token) => csrfTokenOf(pepper, token),
  };
}
