import { chmod, lchown, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

type Ids = { readonly uid: number; readonly gid: number };

/** The user that PostgreSQL runs as. It refuses to run as root. */
export type ServerUser = {
  /** For `spawn`; empty when the server runs as the user of this process. */
  ids: Ids | Record<string, never>;
  /** Whether the server runs as another user than this process. */
  isOther: boolean;
};

/** "nobody" on Linux: exists everywhere as a number, even where no user database names it. */
const NOBODY_USER = 65_534;
/** Whoever runs as nobody could open what a server of nobody's has open; many daemons do. */
const SHARED: readonly number[] = [0, NOBODY_USER];

/**
 * Numbers that no system gives to anybody: between the ranges that distributions and containers use, and, where a
 * container's map ends at 65535, those below nobody.
 */
const UNNAMED: readonly number[] = [2_000_065_432, ...Array.from({ length: 14 }, (_, n) => 65_533 - n)];

/**
 * An ordinary user runs the server itself. Root hands it to the owner of the data directory, or, when there is none
 * yet or it is a user that others share, to a number without a name, so that no other program runs as the user that
 * may open the database. No user is created for it.
 */
export async function chooseServerUser(dataDirectory: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { ids: {}, isOther: false };
  const owner = await stat(dataDirectory).catch(() => undefined);
  const isOwned = owner !== undefined && !SHARED.includes(owner.uid);
  return { ids: isOwned ? { uid: owner.uid, gid: owner.gid } : await unnamedIds(), isOther: true };
}

/** The user that makes the cluster: initdb wants one with a name in the system. */
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
  // A process that may use no number but a few runs the server as well as it can.
  return { uid: id ?? NOBODY_USER, gid: id ?? NOBODY_USER };
}

type Lines = readonly string[];

/**
 * A number that all `maps` hold, the lines of /proc/self/uid_map and gid_map, and that no line of `names` has, those
 * of /etc/passwd and /etc/group. Undefined where there is none.
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

/** A line of a map is: first number inside, first number outside, how many. Other systems have no map. */
function isMapped(map: Lines, id: number): boolean {
  return map.some((line) => {
    const [first = Number.NaN, , count = Number.NaN] = line.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/** A line of either file is: name, password, number, … */
function isNamed(entries: Lines, id: number): boolean {
  return entries.some((entry) => entry.split(":")[2] === String(id));
}

/** Whether the cluster belongs to this user already. */
export async function isOwnedBy({ ids }: ServerUser, dataDirectory: string): Promise<boolean> {
  return ids.uid === undefined || (await stat(dataDirectory)).uid === ids.uid;
}

/**
 * Gives a cluster to the user that serves it. From the top downwards, each folder closed before it is read, so that a
 * process of its former owner cannot lead us elsewhere; the top goes over last, so that an interrupted change is
 * begun again. The folder that the cluster lies in must be ours.
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
