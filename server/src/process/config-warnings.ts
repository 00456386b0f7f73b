import { warningOfNodeNumber, warningOfUnproven } from "../deposits/settings.ts";
import { warningOfBaseUrl } from "../http/settings.ts";
import { warningOfSources } from "../rates/settings.ts";
import { readSetting } from "../runtime/read-setting.ts";
import { fileVariableOf, isOfRoles, type Role } from "../runtime/setting.ts";
import { type Settled, settingAt, settingPaths, type Variables } from "./config.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** Settings that are checked together. */
type SettingsTogether = Settled<
  | "chain.network"
  | "chain.nodeUrls"
  | "deposits.quorum"
  | "deposits.unproven"
  | "http.publicBaseUrl"
  | "rates.sources"
>;

/**
 * Warnings about valid but doubtful settings of a process with these roles. Each sentence begins with the
 * variable and has no secret.
 */
export function configWarningsOf(
  env: Variables,
  values: SettingsTogether,
  roleNames: readonly Role[],
): string[] {
  const ofOne = settingPaths
    .map(settingAt)
    .filter((setting) => isOfRoles(setting, roleNames))
    .flatMap((setting) => readSetting(env, setting).warnings);
  return [...ofOne, ...configWarningsBetween(values, roleNames), ...unknownVariableWarnings(env)];
}

/** Warnings about settings together. */
export function configWarningsBetween(values: SettingsTogether, roleNames: readonly Role[]): string[] {
  const { chain, deposits, http, rates } = values;
  const answers = { ...deposits, nodeUrls: chain.nodeUrls };
  const warnings = [
    ...(roleNames.includes("watcher")
      ? [warningOfNodeNumber(chain.network, answers), warningOfUnproven(answers)]
      : []),
    ...(roleNames.includes("api")
      ? [warningOfBaseUrl(chain.network, http.publicBaseUrl), warningOfSources(chain.network, rates.sources)]
      : []),
  ];
  return warnings.filter((warning) => warning !== undefined);
}

/** Warnings about variables that look like settings and are none. */
export function unknownVariableWarnings(env: Variables): string[] {
  const known = settingPaths
    .map(settingAt)
    .flatMap((setting) => [setting.env, ...(setting.secret ? [fileVariableOf(setting)] : [])]);
  return unknownVariables(env, known).map(({ name, meant }) =>
    meant === undefined ? `${name} is no setting` : `${name} is no setting: is ${meant} meant?`,
  );
}
