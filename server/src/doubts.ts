import { type Settled, settingAt, settingPaths, type Variables } from "./config.ts";
import { doubtOfNodeNumber, doubtOfUnproven } from "./deposits/settings.ts";
import { doubtOfBaseUrl } from "./http/settings.ts";
import { doubtOfSources } from "./rates/settings.ts";
import { readSetting } from "./runtime/read-setting.ts";
import { fileVariableOf, isOfRoles, type Role } from "./runtime/setting.ts";
import { strayVariables } from "./stray-variables.ts";

/** What is looked at together. */
type Judged = Settled<
  | "chain.network"
  | "chain.nodeUrls"
  | "deposits.quorum"
  | "deposits.unproven"
  | "http.publicBaseUrl"
  | "rates.sources"
>;

/**
 * What may be meant otherwise in the settings of a process with these roles, though it starts with them: sentences that begin
 * with the variable and hold no secret.
 */
export function doubtsOf(env: Variables, values: Judged, roleNames: readonly Role[]): string[] {
  const ofOne = settingPaths
    .map(settingAt)
    .filter((setting) => isOfRoles(setting, roleNames))
    .flatMap((setting) => readSetting(env, setting).doubts);
  return [...ofOne, ...doubtsBetween(values, roleNames), ...strayDoubts(env)];
}

/** What is doubtful of settings together. */
export function doubtsBetween(values: Judged, roleNames: readonly Role[]): string[] {
  const { chain, deposits, http, rates } = values;
  const answers = { ...deposits, nodeUrls: chain.nodeUrls };
  const doubts = [
    ...(roleNames.includes("watcher")
      ? [doubtOfNodeNumber(chain.network, answers), doubtOfUnproven(answers)]
      : []),
    ...(roleNames.includes("api")
      ? [doubtOfBaseUrl(chain.network, http.publicBaseUrl), doubtOfSources(chain.network, rates.sources)]
      : []),
  ];
  return doubts.filter((doubt) => doubt !== undefined);
}

/** The variables that nobody reads, though somebody seems to think so. */
export function strayDoubts(env: Variables): string[] {
  const known = settingPaths
    .map(settingAt)
    .flatMap((setting) => [setting.env, ...(setting.secret ? [fileVariableOf(setting)] : [])]);
  return strayVariables(env, known).map(({ name, meant }) =>
    meant === undefined ? `${name} is read by nobody` : `${name} is read by nobody: is ${meant} meant?`,
  );
}
