import { chargeBody, getRequest } from "../charge-requests.ts";
import { type Bench, compare } from "../harness.ts";
import { onStage } from "../stage.ts";

const CONNECTIONS = 16;
const PATH = "/v1/webhooks/endpoints";
const bars = { must: 0.95 };

/** The cost of authentication. */
export const keyCheck: Bench = {
  name: "key-check",
  measures:
    `reads a second of ${PATH}, the cheapest route behind a key, with the check of the key over without it, in one ` +
    "process; the bar is for the CPU of a read, because 5 % of a rate is less than the noise of a shared machine",
  bar: `at least ${bars.must}, which is at most 5 %`,
  run: (effort) =>
    onStage(async (stage) => {
      const { env, merchant } = await stage.open("key_check");
      const owner = await merchant();
      const child = await stage.child("key-check", { ...env, BENCH_API_KEY: owner.apiKey });
      const side = (prefix: string) => {
        const read = getRequest(prefix + PATH, owner);
        return chargeBody(prefix.slice(1), child, { connections: CONNECTIONS, next: () => read });
      };
      const [ceiling, ours] = [side("/without"), side("/with")];
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid }, effort);
      return { ...outcome, unit: "a second", bars, measuredBy: "cpu" };
    }),
};
