import { stat } from "node:fs/promises";

/** The user that PostgreSQL runs as. It refuses to run as root. */
export interface ServerUser {
  /** For `spawn`; empty when the server runs as the user of this process. */
  ids: { uid: number; gid: number } | Record<string, never>;
  /** Whether the server runs as another user than this process. */
  isOther: boolean;
}

/** "nobody" on Linux: exists everywhere as a number, even where no user database names it. */
const NOBODY = 65_534;

/**
 * An ordinary user runs the server itself. Root hands it to the owner of the data directory, or to nobody when
 * there is none yet; no user is created for it.
 */
export async function chooseServerUser(dataDirectory: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { ids: {}, isOther: false };
  const owner = await stat(dataDirectory).catch(() => undefined);
  const ids =
    owner === undefined || owner.uid === 0
      ? { uid: NOBODY, gid: NOBODY }
      : { uid: owner.uid, gid: owner.gid };
  return { ids, isOther: true };
}
