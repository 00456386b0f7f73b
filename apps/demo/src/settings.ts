import { resolve } from "node:path";

/** The failure of a start. Its message is one line for the user. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

export type DemoSettings = {
  readonly home: string;
  readonly port: number;
  readonly devchainPort: number;
  readonly metricsPort: number;
  /** the user's own database instead of the embedded one */
  readonly databaseUrl: string | undefined;
  /** URL of that database with the login of the owner of its tables */
  readonly databaseDirectUrl: string | undefined;
  /** the user's own nodes instead of the local chain */
  readonly nodeUrls: string | undefined;
  readonly network: string;
  /** whether orders are paid in the background, so that the dashboard is not empty */
  readonly hasHistory: boolean;
  /** the environment, for Daric's own settings */
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Reads the settings of `npm start` from the environment.
 *
 * @throws DemoError with the name of an invalid variable.
 */
export function readDemoSettings(env: NodeJS.ProcessEnv): DemoSettings {
  const nodeUrls = read(env, "TRON_NODE_URLS");
  const network = read(env, "TRON_NETWORK") ?? (nodeUrls === undefined ? "devnet" : "nile");
  if (nodeUrls === undefined && network !== "devnet") {
    throw new DemoError(`TRON_NETWORK=${network} needs TRON_NODE_URLS: the local chain is a devnet only.`);
  }
  if (network === "mainnet") {
    throw new DemoError(
      "npm start is for trying Daric out. For mainnet follow the README: Running for real.",
    );
  }
  const port = readPort(env, "PORT", 3000);
  const devchainPort = readPort(env, "DEVCHAIN_PORT", 9090);
  const metricsPort = readPort(env, "METRICS_PORT", 9464);
  const ports = [port, metricsPort, ...(nodeUrls === undefined ? [devchainPort] : [])];
  if (new Set(ports).size < ports.length) {
    throw new DemoError(
      `PORT (${port}), METRICS_PORT (${metricsPort}) and DEVCHAIN_PORT (${devchainPort}) must be different ports.`,
    );
  }
  return {
    home: resolve(read(env, "DARIC_HOME") ?? ".daric"),
    port,
    devchainPort,
    metricsPort,
    databaseUrl: read(env, "DATABASE_URL"),
    databaseDirectUrl: read(env, "DATABASE_DIRECT_URL"),
    nodeUrls,
    network,
    hasHistory: nodeUrls === undefined && readSwitch(env, "DEMO_HISTORY"),
    env,
  };
}

/** Reads a variable as the service does: trimmed, and undefined if empty. */
function read(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function readSwitch(env: NodeJS.ProcessEnv, name: string): boolean {
  const text = read(env, name) ?? "on";
  if (text !== "on" && text !== "off") throw new DemoError(`${name} must be on or off, not "${text}".`);
  return text === "on";
}

function readPort(env: NodeJS.ProcessEnv, name: string, preset: number): number {
  const text = read(env, name);
  if (text === undefined) return preset;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new DemoError(`${name} must be a port from 1 to 65535, not "${text}".`);
  return port;
}
