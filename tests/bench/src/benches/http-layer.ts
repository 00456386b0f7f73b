import type { Variables } from "@daric/server/process/config";
import { openGenerator, request } from "../generator.ts";
import { type Bench, type Contestant, compare } from "../harness.ts";
import { startRunner } from "../programs.ts";
import { newKey, SETTINGS } from "../settings.ts";

const CONNECTIONS = 16;
const MAX_RATIO = 3;

/** The cost of our HTTP conventions over the bare framework. */
export const httpLayer: Bench = {
  name: "http-layer",
  measures:
    "CPU of a create on a database that answers at once, over that of a bare Fastify POST with a JSON schema",
  bar: `at most ${MAX_RATIO}`,
  run: async (effort) => {
    const apiKey = newKey();
    const body = { amount: "25.5", orderRef: "A-1042", successUrl: "https://shop.example/thanks" };
    const bytes = request("POST /v1/deposit-addresses", { headers: { "x-api-key": apiKey }, body });
    const stops: (() => Promise<void>)[] = [];

    async function contestant(name: string, env: Variables): Promise<Contestant> {
      const { pid, port, stop } = await startRunner(name, env);
      stops.push(stop);
      const generator = await openGenerator(port, CONNECTIONS);
      return { name, pid, run: (extent) => generator.run(() => ({ bytes, expected: 201 }), extent) };
    }

    try {
      const ceiling = await contestant("bare-fastify", {});
      const ours = await contestant("http-layer", { ...SETTINGS, BENCH_API_KEY: apiKey });
      const outcome = await compare({ ceiling, ours, measure: "cpu", postgresPid: undefined }, effort);
      return { ...outcome, unit: "µs of CPU a request", bars: { max: MAX_RATIO } };
    } finally {
      for (const stop of stops) await stop();
    }
  },
};
