import { chmod, lchown, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

type Ids = { readonly uid: number; readonly gid: number };

/** The user that PostgreSQL runs as. It refuses to run as root. */
export type ServerUser = {
  ids: Ids | Record<string, never>;
  isOther: boolean;
};

/** The uid of `nobody` on Linux, valid even without a user database. */
const NOBODY_USER = 65_534;
/** Many daemons run as `nobody`, so another of them could read the data. */
const SHARED: readonly number[] = [0, NOBODY_USER];

/**
 * Uids that no system assigns: between the ranges in use; in a container whose map ends at 65535, below
 * `nobody`.
 */
const UNNAMED: readonly number[] = [2_000_065_432, ...Array.from({ length: 14 }, (_, n) => 65_533 - n)];

/**
 * Chooses the server's user. An ordinary user runs the server itself. Root uses the owner of the data
 * directory. If there is no owner yet, or it is shared, root uses an unassigned uid, so that no other program
 * runs as that user.
 */
export async function chooseServerUser(dataDirectory: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { ids: {}, isOther: false };
  const owner = await stat(dataDirectory).catch(() => undefined);
  const isOwned = owner !== undefined && !SHARED.includes(owner.uid);
  return { ids: isOwned ? { uid: owner.uid, gid: owner.gid } : await unnamedIds(), isOther: true };
}

/** initdb needs a user with a name. */
export function initdbUser(server: ServerUser): ServerUser {
  return server.isOther ? { ids: { uid: NOBODY_USER, gid: NOBODY_USER }, isOther: true } : server;
}

async function unnamedIds(): Promise<Ids> {
  const [uidMap, gidMap, users, groups] = await Promise.all([
    readLines("/proc/self/uid_map"),
    readLines("/proc/self/gid_map"),
    readLines("/etc/passwd"),
    readLines("/etc/group"),
  ]);
  const id = findUnnamed({ maps: [uidMap, gidMap], names: [users, groups] });
  return { uid: id ?? NOBODY_USER, gid: id ?? NOBODY_USER };
}

type Lines = readonly string[];

/**
 * Returns a uid inside all `maps` (lines of /proc/self/uid_map, gid_map) that no line of /etc/passwd or group
 * names.
 */
export function findUnnamed({
  maps,
  names,
}: {
  maps: readonly Lines[];
  names: readonly Lines[];
}): number | undefined {
  return UNNAMED.find(
    (id) => maps.every((map) => isMapped(map, id)) && !names.some((entries) => isNamed(entries, id)),
  );
}

async function readLines(file: string): Promise<Lines> {
  return (await readFile(file, "utf8").catch(() => "")).split("\n");
}

/** A line of a map: first id inside, first id outside, count. Other systems have no map. */
function isMapped(map: Lines, id: number): boolean {
  return map.some((line) => {
    const [first = Number.NaN, , count = Number.NaN] = line.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

function isNamed(entries: Lines, id: number): boolean {
  return entries.some((entry) => entry.split(":")[2] === String(id));
}

export async function isOwnedBy({ ids }: ServerUser, dataDirectory: string): Promise<boolean> {
  return ids.uid === undefined || (await stat(dataDirectory)).uid === ids.uid;
}

/**
 * Gives a cluster to the server's user. Each folder is closed before it is read, so that its former owner cannot
 * swap it. The top folder changes owner last, so an interrupted change starts again. The folder above must belong
 * to this process's user.
 */
export async function giveCluster(user: ServerUser, dataDirectory: string): Promise<void> {
  const { uid, gid } = user.ids;
  if (uid === undefined || gid === undefined || (await isOwnedBy(user, dataDirectory))) return;
  await lchown(dataDirectory, 0, 0);
  await giveContent({ uid, gid }, dataDirectory);
  await lchown(dataDirectory, uid, gid);
}

async function giveContent(ids: Ids, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      await lchown(path, ids.uid, ids.gid);
      if (entry.isDirectory()) await giveContent(ids, path);
    }),
  );
}
