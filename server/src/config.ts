import { networkEnvironment } from "./chain/networks.ts";
import type { Environment } from "./domain/api-scope.ts";
import { type Role, roles, type SettingName, type SettingValue, settings } from "./settings.ts";

type Values = { readonly [Name in SettingName]: SettingValue<Name> };

/** What one process runs with: every setting that its roles need, read once at start. */
export type Config = Readonly<Values> & {
  readonly roles: readonly Role[];
  readonly environment: Environment;
  readonly pollMs: number;
};

/** The variables of an environment, whether of the process or of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown with every fault at once, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The variables of the process. The only place that reads them; everybody else is handed what it needs. */
export function processVariables(): Variables {
  // biome-ignore lint/style/noProcessEnv: this is the one reader
  return process.env;
}

/**
 * Turns the environment into the configuration of a process with these roles. A setting that none of the roles needs
 * may be missing; every missing or wrong one is listed in a single ConfigError. Values are never put into messages
 * of secret settings.
 */
export function readConfig(env: Variables, roleNames: readonly Role[]): Config {
  const names = Object.keys(settings) as SettingName[];
  const values = readValues(env, names, (name) => isNeeded(name, roleNames));
  return derive(values as Values, roleNames);
}

/**
 * Reads only these settings, for a command that needs no more, and of `ifSet` those that are there. Faults are
 * reported as in {@link readConfig}.
 */
export function readSettings<Name extends SettingName, Extra extends SettingName = never>(
  env: Variables,
  names: readonly Name[],
  ifSet: readonly Extra[] = [],
): Pick<Config, Name> & Partial<Pick<Config, Extra>> {
  const isRequired = (name: SettingName) => names.some((required) => required === name);
  return readValues(env, [...new Set([...names, ...ifSet])], isRequired) as Pick<Config, Name> &
    Partial<Pick<Config, Extra>>;
}

function readValues(
  env: Variables,
  names: readonly SettingName[],
  isRequired: (name: SettingName) => boolean,
): Partial<Record<SettingName, unknown>> {
  const faults: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    // Blanks around a value are nobody's intention: what is checked and used is the text between them.
    const text = env[name]?.trim();
    const isUnset = text === undefined || text === "";
    if (isUnset && settings[name].default === "required") {
      if (isRequired(name)) faults.push(`${name} is required: ${settings[name].meaning}`);
      continue;
    }
    const result = settings[name].read.safeParse(isUnset ? undefined : text);
    if (result.success) values[name] = result.data;
    else faults.push(...result.error.issues.map((issue) => `${name} ${issue.message}`));
  }
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return values;
}

/** The role names a start was asked for: one of them, or "all". */
export function rolesOf(name: string): readonly Role[] | undefined {
  if (name === "all") return roles;
  const role = roles.find((known) => known === name);
  return role && [role];
}

function isNeeded(name: SettingName, roleNames: readonly Role[]): boolean {
  return settings[name].roles.some((role) => role === "all" || roleNames.includes(role));
}

function derive(values: Values, roleNames: readonly Role[]): Config {
  const { TRON_NODE_URLS: nodes, TRON_SOLIDITY_URLS: solidity } = values;
  if (solidity.length > 0 && solidity.length !== nodes?.length) {
    throw new ConfigError(
      "TRON_SOLIDITY_URLS must name one URL for each of TRON_NODE_URLS, in the same order",
    );
  }
  const isDevnet = values.TRON_NETWORK === "devnet";
  return {
    ...values,
    roles: roleNames,
    environment: networkEnvironment(values.TRON_NETWORK),
    pollMs: values.TRON_POLL_MS ?? (isDevnet ? 250 : 3_000),
  };
}
