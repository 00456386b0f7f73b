import { randomBytes } from "node:crypto";
import { daric } from "./command-line.ts";
import { keep } from "./home.ts";

/** The output of `daric seed --json`. */
export type Seed = {
  readonly words: string;
  readonly accountXpub: string;
  readonly firstReceiveAddress: string;
};

/** The secrets of this demo, made at its first start. A real service never gets the seed. */
export type DemoSecrets = {
  readonly seed: Seed;
  readonly keyPepper: string;
  readonly masterKey: string;
  readonly integrityKey: string;
};

export async function keepSecrets(home: string, env: NodeJS.ProcessEnv): Promise<DemoSecrets> {
  const secrets = await keep(home, "secrets.json", async () => ({
    seed: await createDemoSeed(env),
    keyPepper: randomBytes(32).toString("hex"),
    masterKey: randomBytes(32).toString("hex"),
  }));
  // This key has a file of its own, because a home of an older version already has the other secrets.
  const { integrityKey } = await keep(home, "integrity.json", async () => ({
    integrityKey: randomBytes(32).toString("hex"),
  }));
  return { ...secrets, integrityKey };
}

/** The service's password for the embedded database. The launcher keeps the owner's. */
export async function keepServicePassword(home: string): Promise<string> {
  const { servicePassword } = await keep(home, "database.json", async () => ({
    servicePassword: randomBytes(24).toString("hex"),
  }));
  return servicePassword;
}

export function createDemoSeed(env: NodeJS.ProcessEnv): Promise<Seed> {
  return daric<Seed>(["seed"], env);
}
