import { statfs } from "node:fs/promises";
import { rolesOf, type Variables } from "../process/config.ts";
import { findFontFault } from "../process/find-font-fault.ts";
import { type ConfigVerdict, type SettingFinding, type Trial, worstVerdict } from "./config-findings.ts";
import { tryBaseUrl } from "./try-base-url.ts";
import { tryDatabase } from "./try-database.ts";
import { tryMachine } from "./try-machine.ts";
import { tryMailRecords, tryMailServers } from "./try-mail.ts";
import { tryNodes } from "./try-nodes.ts";
import { type ReadValues, validateSettings } from "./validate-settings.ts";

/** The result of `daric config check`, without secrets. */
export type ConfigReport = {
  readonly role: string;
  readonly verdict: ConfigVerdict;
  readonly settings: readonly SettingFinding[];
  readonly trials: readonly Trial[];
};

/**
 * Checks all settings for a start of this role or of all roles. It takes at most a minute and never throws. `asOwner` checks
 * them as the owner of the tables, before the migration that makes the role of the service.
 */
export async function checkConfig(
  env: Variables,
  role: string,
  { asOwner = false }: { readonly asOwner?: boolean } = {},
): Promise<ConfigReport> {
  const roleNames = rolesOf(role) ?? [];
  const { findings: settings, values } = validateSettings(env, roleNames);
  const queriesNodes = roleNames.includes("api") || roleNames.includes("watcher");
  const trials = await Promise.all([
    tryDatabase(env, values, { asOwner }),
    queriesNodes ? tryNodes(values) : [],
    // The second trial listens on the port that the first one frees.
    tryMachine(values, roleNames).then(async (tried) => [...tried, ...(await tryBaseUrl(values, roleNames))]),
    tryMailServers(values),
    tryMailRecords(values),
    tryDisk(process.cwd()),
    roleNames.includes("api") ? tryFont(values) : [],
  ]);
  const all = trials.flat();
  return { role, verdict: worstVerdict([...settings, ...all]), settings, trials: all };
}

async function tryFont({ books }: ReadValues): Promise<Trial[]> {
  if (books.fontFile === undefined) return [];
  const fault = await findFontFault(books.fontFile);
  const trial = "font of papers";
  return [
    fault === undefined
      ? { trial, verdict: "OK", words: "has Chinese letters" }
      : { trial, verdict: "fault", words: fault },
  ];
}

/** Room for a day of a busy service's log and database. */
const ENOUGH_BYTES = 1_000_000_000;
const GIGABYTE = 1e9;

/** Tries whether the disk of a folder has room. No finding if the system does not report it. */
export async function tryDisk(
  folder: string,
  find: (path: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): Promise<Trial[]> {
  const disk = await find(folder).catch(() => undefined);
  if (disk === undefined) return [];
  const free = disk.bavail * disk.bsize;
  const words = `${(free / GIGABYTE).toFixed(1)} GB are free`;
  const trial = `disk of ${folder}`;
  if (free >= ENOUGH_BYTES) return [{ trial, verdict: "OK", words }];
  return [
    {
      trial,
      verdict: "doubtful",
      words: `${words}: free space before you start, best ${ENOUGH_BYTES / GIGABYTE} GB and more`,
    },
  ];
}
