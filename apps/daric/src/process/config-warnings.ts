import { warningOfNodeNumber, warningOfUnproven } from "@daric/deposits/settings";
import { nearestName } from "@daric/domain/nearest-name";
import { warningOfBaseUrl } from "@daric/http/settings";
import { warningOfSources } from "@daric/rates/context";
import { readSetting } from "@daric/runtime/read-setting";
import { fileVariableOf, isOfRoles, type Role } from "@daric/runtime/setting";
import { type Settled, settingAt, settingPaths, type Variables } from "./config.ts";

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
  const alone = settingPaths
    .map(settingAt)
    .filter((setting) => isOfRoles(setting, roleNames))
    .flatMap((setting) => readSetting(env, setting).warnings);
  return [...alone, ...configWarningsBetween(values, roleNames), ...unknownVariableWarnings(env)];
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

/** Warnings about variables that look like settings but are not. */
export function unknownVariableWarnings(env: Variables): string[] {
  const known = settingPaths
    .map(settingAt)
    .flatMap((setting) => [setting.env, ...(setting.secret ? [fileVariableOf(setting)] : [])]);
  return unknownVariables(env, known).map(({ name, meant }) =>
    meant === undefined ? `${name} is no setting` : `${name} is no setting: is ${meant} meant?`,
  );
}

/** A variable that looks like a setting of Daric but is not one. */
type UnknownVariable = { readonly name: string; readonly meant: string | undefined };

/** Variables of other programs of this project, which may be set in the same shell. */
const READ_BY_OTHERS = ["DARIC_HOME", "DARIC_URL", "DARIC_KEY", "DARIC_API_KEY", "WEBHOOK_SECRET"];
/** Former settings, which operators may still have set. */
const REMOVED = [
  "AUDIT_PAUSE",
  "CHECKOUT_LANGUAGES",
  "CHECKOUT_SOCKETS_PER_ADDRESS",
  "CHECKOUT_SOCKETS_PER_TOKEN",
  "OPERATOR_FEE_TRANSFERS",
];
/** Common first words of other programs' variables, even if several settings of ours begin with them. */
const COMMON_WORDS = ["ACCOUNT", "API", "ARCHIVE", "HTTP", "LOG", "MAX", "NODE", "PUBLIC", "SCAN"].map(
  (word) => `${word}_`,
);
/**
 * Variables that Kubernetes and Docker set for a service whose name begins with a word of our settings, such as
 * METRICS.
 */
const OF_A_NEIGHBOUR =
  /^(.+?)_(SERVICE_(HOST|PORT)(_.+)?|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?|NAME|ENV_.+)$/;

/**
 * The variables that look like settings but are not. They were settings once, begin with a word that several settings
 * begin with (`TRON_`), or differ from one by a typing error. Short names like PORT and HOST occur in too many other
 * programs to suggest one.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): UnknownVariable[] {
  const read = new Set([...known, ...READ_BY_OTHERS]);
  const beginnings = [...REMOVED, ...sharedPrefixes(known)];
  const long = known.filter((name) => name.includes("_"));
  return Object.keys(env)
    .filter((name) => !read.has(name) && (env[name]?.trim() ?? "") !== "" && !isOfNeighbour(name, env))
    .map((name) => ({ name, meant: nearestName(name, long) }))
    .filter(({ name, meant }) => meant !== undefined || beginnings.some((text) => name.startsWith(text)))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** The first words that more than one name begins with. */
function sharedPrefixes(names: readonly string[]): string[] {
  const firstWords = names
    .filter((name) => name.includes("_"))
    .map((name) => name.slice(0, name.indexOf("_") + 1));
  const shared = firstWords.filter((word, index) => firstWords.indexOf(word) !== index);
  return [...new Set(shared)].filter((word) => !COMMON_WORDS.includes(word));
}

function isOfNeighbour(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const service = OF_A_NEIGHBOUR.exec(name)?.[1];
  if (service === undefined) return false;
  return env[`${service}_SERVICE_HOST`] !== undefined || /^(tcp|udp):\/\//.test(env[`${service}_PORT`] ?? "");
}
