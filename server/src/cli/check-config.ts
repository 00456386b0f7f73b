import { rolesOf, type Variables } from "../process/config.ts";
import { type ConfigVerdict, type SettingFinding, type Trial, worstVerdict } from "./config-findings.ts";
import { tryDatabase } from "./try-database.ts";
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
 * Checks all settings for a start of this role, or of all, within a minute, whatever fails. `fileWarning` is
 * the warning about the settings file.
 */
export async function checkConfig(env: Variables, role: string, fileWarning?: string): Promise<ConfigReport> {
  const roleNames = rolesOf(role) ?? [];
  const { findings: settings, values } = validateSettings(env, roleNames);
  const queriesNodes = roleNames.includes("api") || roleNames.includes("watcher");
  const trials = await Promise.all([
    tryDatabase(env, values),
    queriesNodes ? tryNodes(values) : [],
    tryMachine(values, roleNames),
  ]);
  const ofFile: Trial[] =
    fileWarning === undefined ? [] : [{ trial: "--env-file", verdict: "doubtful", words: fileWarning }];
  const all = [...ofFile, ...trials.flat()];
  return { role, verdict: worstVerdict([...settings, ...all]), settings, trials: all };
}
