import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { driversUrl } from "./tls.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 2_000;

/** Lends a connection outside any pool to `work` and closes it afterwards. Connecting and closing are bounded. */
export async function withDedicatedClient<T>(
  config: pg.ClientConfig & { connectionString: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connectionString = driversUrl(config.connectionString);
  const defaults = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
  const client = new pg.Client({ ...defaults, ...config, connectionString });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
