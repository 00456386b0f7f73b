import { addressSettings } from "@daric/addresses/context";
import { bookSettings } from "@daric/books/papers/settings";
import { networkEnvironment } from "@daric/chain/nodes/networks";
import { chainSettings, faultOfNetwork, faultOfNodes } from "@daric/chain/nodes/settings";
import { chargeSettings } from "@daric/charges/context";
import { alertSettings, faultsOfAlerts } from "@daric/console/alerts/settings";
import { peopleSettings } from "@daric/console/people/context";
import { depositSettings, faultOfQuorum } from "@daric/deposits/settings";
import type { Environment } from "@daric/domain/api-scope";
import { faultOfMail, mailSettings } from "@daric/egress/mail-settings";
import { egressSettings } from "@daric/egress/settings";
import { checkoutSettings } from "@daric/hosted-checkout/context";
import { httpSettings } from "@daric/http/settings";
import { merchantSettings } from "@daric/merchants/context";
import { faultOfSources, rateSettings } from "@daric/rates/context";
import { refundSettings } from "@daric/refunds/context";
import { readSetting } from "@daric/runtime/read-setting";
import {
  ConfigError,
  type ConfigOf,
  isOfRoles,
  type Role,
  roles,
  type Setting,
  type ValueOf,
} from "@daric/runtime/setting";
import { integritySettings, runtimeSettings } from "@daric/runtime/settings";
import { settlementSettings } from "@daric/settlement/context";
import { deliverySettings } from "@daric/webhooks/deliveries/context";
import { endpointSettings } from "@daric/webhooks/endpoints/context";
import { eventSettings } from "@daric/webhooks/events/context";
import { sendingSettings } from "@daric/webhooks/sending/context";

/** Every variable that the service reads, by folder. docs/configuration.md is generated from it. */
export const settings = {
  runtime: runtimeSettings,
  integrity: integritySettings,
  chain: chainSettings,
  deposits: depositSettings,
  addresses: addressSettings,
  rates: rateSettings,
  charges: chargeSettings,
  refunds: refundSettings,
  http: httpSettings,
  merchants: merchantSettings,
  people: peopleSettings,
  settlement: settlementSettings,
  checkout: checkoutSettings,
  books: bookSettings,
  egress: egressSettings,
  mail: mailSettings,
  alerts: alertSettings,
  webhooks: { ...sendingSettings, ...endpointSettings, ...eventSettings, ...deliverySettings },
};

type Settings = typeof settings;
type RoomName = keyof Settings;

/**
 * The configuration of a process that has at least the roles `R`: the settings that these need, by room. Without
 * roles it has the settings of every process.
 */
export type Config<R extends Role = never> = [R] extends [infer Given extends Role]
  ? { readonly [Room in RoomName]: ConfigOf<Settings[Room], Given> } & {
      readonly roles: readonly Role[];
      readonly environment: Environment;
    }
  : never;

/** A setting by its folder and its name, like `webhooks.timeoutMs`. */
export type SettingPath = { [Room in RoomName]: `${Room}.${keyof Settings[Room] & string}` }[RoomName];

/** Only these settings, by room as in a {@link Config}. */
export type Settled<Path extends SettingPath> = {
  readonly [Room in RoomName as Path extends `${Room}.${string}` ? Room : never]: {
    readonly [Name in keyof Settings[Room] as `${Room}.${Name & string}` extends Path
      ? Name
      : never]: ValueOf<Settings[Room][Name]>;
  };
};

/** The variables of an environment, whether of the process or of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of the process. Only this function reads them; other code gets its settings as arguments. */
export function processVariables(): Variables {
  // biome-ignore lint/style/noProcessEnv: this is the one reader
  return process.env;
}

/**
 * Turns the environment into the configuration of a process with these roles. A setting that none of the roles needs
 * may be missing; every missing or wrong one is listed in a single ConfigError, which never holds the value of a secret.
 */
export function readConfig<R extends Role>(env: Variables, roleNames: readonly R[]): Config<R> {
  // The values contain every setting of these roles, or an error was thrown; the compiler cannot know that.
  const values = readValues(env, settingPaths, (path) =>
    isOfRoles(settingAt(path), roleNames),
  ) as Settled<SettingPath>;
  const faults = faultsBetween(values);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return {
    ...values,
    roles: roleNames,
    environment: networkEnvironment(values.chain.network),
  } as unknown as Config<R>;
}

/** Faults of combinations of valid settings: sentences that begin with the variable to correct. */
export function faultsBetween(values: Settled<SettingPath>): string[] {
  const { chain, deposits, rates, mail, alerts } = values;
  const faults = [
    faultOfNetwork(chain),
    faultOfNodes(chain.nodeUrls, chain.solidityUrls),
    faultOfQuorum(deposits.quorum, chain.nodeUrls),
    faultOfSources(chain.network, rates.sources),
    faultOfMail(mail),
    ...faultsOfAlerts(alerts, mail),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/**
 * Reads only these settings, for a command, and those of `ifSet` that are set. Faults are
 * reported as in {@link readConfig}.
 */
export function readSettings<Path extends SettingPath>(
  env: Variables,
  paths: readonly Path[],
  ifSet: readonly SettingPath[] = [],
): Settled<Path> {
  const isRequired = (path: SettingPath) => paths.some((required) => required === path);
  return readValues(env, [...new Set<SettingPath>([...paths, ...ifSet])], isRequired) as Settled<Path>;
}

/** The path of every setting, in the order of the documentation. */
export const settingPaths = Object.entries(settings).flatMap(([room, roomSettings]) =>
  Object.keys(roomSettings).map((name) => `${room}.${name}` as SettingPath),
);

/** The setting at this path, for errors and documentation. */
export function settingAt(path: SettingPath): Setting {
  const [room, name] = partsOf(path);
  return (settings as Readonly<Record<string, Readonly<Record<string, Setting>>>>)[room]?.[name] as Setting;
}

/** The variable of this setting, for messages to an operator. */
export function variableOf(path: SettingPath): string {
  return settingAt(path).env;
}

function partsOf(path: SettingPath): [room: string, name: string] {
  return path.split(".", 2) as [string, string];
}

function readValues(
  env: Variables,
  paths: readonly SettingPath[],
  isRequired: (path: SettingPath) => boolean,
): Record<string, Record<string, unknown>> {
  const faults: string[] = [];
  const values: Record<string, Record<string, unknown>> = {};
  for (const path of paths) {
    const [room, name] = partsOf(path);
    const roomSettings = values[room] ?? {};
    values[room] = roomSettings;
    const { value, faults: found, isMissing } = readSetting(env, settingAt(path));
    roomSettings[name] = value;
    // A setting that this process does not need may be a file that it cannot read.
    if (!isMissing || isRequired(path)) faults.push(...found);
  }
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return values;
}

/** The roles of this name: one of them, or all for "all". */
export function rolesOf(name: string): readonly Role[] | undefined {
  if (name === "all") return roles;
  const role = roles.find((known) => known === name);
  return role && [role];
}
