import { addressSettings } from "../addresses/settings.ts";
import { networkEnvironment } from "../chain/nodes/networks.ts";
import { chainSettings, faultOfNetwork, faultOfNodes } from "../chain/nodes/settings.ts";
import { chargeSettings } from "../charges/settings.ts";
import { checkoutSettings } from "../checkout/settings.ts";
import { depositSettings, faultOfQuorum } from "../deposits/settings.ts";
import { doctorSettings } from "../doctor/settings.ts";
import type { Environment } from "../domain/api-scope.ts";
import { egressSettings } from "../egress/settings.ts";
import { httpSettings } from "../http/settings.ts";
import { merchantSettings } from "../merchants/settings.ts";
import { faultOfSources, rateSettings } from "../rates/settings.ts";
import { readSetting } from "../runtime/read-setting.ts";
import {
  ConfigError,
  type ConfigOf,
  isOfRoles,
  type Role,
  roles,
  type Setting,
  type ValueOf,
} from "../runtime/setting.ts";
import { integritySettings, runtimeSettings } from "../runtime/settings.ts";
import { settlementSettings } from "../settlement/settings.ts";
import { deliverySettings } from "../webhooks/deliveries/settings.ts";
import { endpointSettings } from "../webhooks/endpoints/settings.ts";
import { eventSettings } from "../webhooks/events/settings.ts";
import { sendingSettings } from "../webhooks/sending/settings.ts";

/** Every variable the service reads, by room. The table in docs/configuration.md is written from this one. */
export const settings = {
  runtime: runtimeSettings,
  integrity: integritySettings,
  chain: chainSettings,
  deposits: depositSettings,
  addresses: addressSettings,
  rates: rateSettings,
  charges: chargeSettings,
  http: httpSettings,
  merchants: merchantSettings,
  doctor: doctorSettings,
  settlement: settlementSettings,
  checkout: checkoutSettings,
  egress: egressSettings,
  webhooks: { ...sendingSettings, ...endpointSettings, ...eventSettings, ...deliverySettings },
};

type Settings = typeof settings;
type RoomName = keyof Settings;

/**
 * What a process that has the roles `R`, whatever others it has, runs with: the settings these need, by room. Without
 * roles it is what every process has.
 */
export type Config<R extends Role = never> = [R] extends [infer Given extends Role]
  ? { readonly [Room in RoomName]: ConfigOf<Settings[Room], Given> } & {
      readonly roles: readonly Role[];
      readonly environment: Environment;
    }
  : never;

/** A setting by its room and its name, like `webhooks.timeoutMs`. */
export type SettingPath = { [Room in RoomName]: `${Room}.${keyof Settings[Room] & string}` }[RoomName];

/** These settings alone, by room as in a {@link Config}. */
export type Settled<Path extends SettingPath> = {
  readonly [Room in RoomName as Path extends `${Room}.${string}` ? Room : never]: {
    readonly [Name in keyof Settings[Room] as `${Room}.${Name & string}` extends Path
      ? Name
      : never]: ValueOf<Settings[Room][Name]>;
  };
};

/** The variables of an environment, whether of the process or of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of the process. The only place that reads them; everybody else is handed what it needs. */
export function processVariables(): Variables {
  // biome-ignore lint/style/noProcessEnv: this is the one reader
  return process.env;
}

/**
 * Turns the environment into the configuration of a process with these roles. A setting that none of the roles needs
 * may be missing; every missing or wrong one is listed in a single ConfigError, which never holds the value of a secret.
 */
export function readConfig<R extends Role>(env: Variables, roleNames: readonly R[]): Config<R> {
  // What is read holds every setting of these roles, or faults were thrown: the compiler cannot see that.
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

/** What is wrong with settings together, where each is right by itself: sentences that begin with the variable to blame. */
export function faultsBetween({ chain, deposits, rates }: Settled<SettingPath>): string[] {
  const faults = [
    faultOfNetwork(chain),
    faultOfNodes(chain.nodeUrls, chain.solidityUrls),
    faultOfQuorum(deposits.quorum, chain.nodeUrls),
    faultOfSources(chain.network, rates.sources),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/**
 * Reads only these settings, for a command that needs no more, and of `ifSet` those that are there. Faults are
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

/** Where every setting is found, in the order of the documentation. */
export const settingPaths = Object.entries(settings).flatMap(([room, ofRoom]) =>
  Object.keys(ofRoom).map((name) => `${room}.${name}` as SettingPath),
);

/** The setting of this path, for errors and for the documentation, which name the variable. */
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
    const ofRoom = values[room] ?? {};
    values[room] = ofRoom;
    const { value, faults: found, isMissing } = readSetting(env, settingAt(path));
    ofRoom[name] = value;
    // What this process does not need may be a file that it has no right to.
    if (!isMissing || isRequired(path)) faults.push(...found);
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
