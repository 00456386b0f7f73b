import { rolesOf, type Variables } from "../process/config.ts";
import { type ConfigVerdict, type SettingFinding, type Trial, worstVerdict } from "./config-findings.ts";
import { tryBaseUrl } from "./try-base-url.ts";
import { tryDatabase } from "./try-database.ts";
import { tryDisk } from "./try-disk.ts";
import { tryMachine } from "./try-machine.ts";
import { tryNodes } from "./try-nodes.ts";
import { validateSettings } from "./validate-settings.ts";

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
    tryDisk(process.cwd()),
  ]);
  const all = trials.flat();
  return { role, verdict: worstVerdict([...settings, ...all]), settings, trials: all };
}
