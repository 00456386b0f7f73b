import { newApiKey } from "@daric/merchants/api-key";
import { createOrders, createRequest, getRequest, UNCAPPED } from "../charge-requests.ts";
import { type Answers, goodputOf, startClients } from "../clients.ts";
import { openGenerator, request } from "../generator.ts";
import { type Bench, print, timedBeside } from "../harness.ts";
import { onStage } from "../stage.ts";
import { spreadOf } from "../verdict.ts";

const FLOODERS = 64;
const HONEST_EVERY_MS = 50;
const bars = { max: 25 };

/** The cost of junk requests without a key for callers with one. */
export const junkFlood: Bench = {
  name: "junk-flood",
  measures:
    `time of an honest merchant's requests, twenty a second, while ${FLOODERS} clients ask without a pause and without a key ` +
    "malformed keys and tokens, unknown keys and unknown paths; over the quiet stretches before and " +
    "after. Medians; the honest client, the flooders and the service are processes of their own",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("junk_flood");
      const service = await deployment.serve("api");
      const merchant = await deployment.merchant(...UNCAPPED);
      const generator = await openGenerator(service.port, 1);
      const orders = await createOrders(generator, merchant, 5);
      generator.close();
      const honest = await startClients(stage, service, {
        clients: 1,
        everyMs: HONEST_EVERY_MS,
        requests: orders.flatMap(({ id, token }) => [
          createRequest(merchant).bytes,
          getRequest(`/v1/deposit-addresses/${id}`, merchant).bytes,
          getRequest(`/v1/checkout/${token}`).bytes,
        ]),
      });
      const junk = await startClients(stage, service, {
        clients: FLOODERS,
        isPatient: false,
        requests: junkRequests(),
      });
      const { seconds } = effort;
      const median = (answers: Answers) => spreadOf(answers.tookMs).median;
      const quietly = async () => median(await honest.run({ seconds }));

      await junk.run({ seconds });
      const ratios: number[] = [];
      const attacked: number[] = [];
      const quiet = [await quietly()];
      for (let round = 1; round <= effort.rounds; round += 1) {
        const [beside, flood] = await Promise.all([honest.run({ seconds }), junk.run({ seconds })]);
        const before = quiet.at(-1) ?? 0;
        quiet.push(await quietly());
        attacked.push(median(beside));
        ratios.push((2 * median(beside)) / (before + (quiet.at(-1) ?? 0)));
        const pieces = flood.refused + Object.values(flood.others).reduce((sum, count) => sum + count, 0);
        const perSecond = Math.round(goodputOf({ done: pieces, elapsedMs: flood.elapsedMs }));
        const [of, without] = [attacked, quiet].map((times) => (times.at(-1) ?? 0).toFixed(1));
        print(
          `  round ${round}: ${of} ms beside ${perSecond} pieces of junk a second, ${without} ms without; ${beside.refused} refused`,
        );
      }
      return timedBeside({ ratios, attacked, quiet }, { unit: "ms", bars });
    }),
};

/** Requests that are refused without a statement. */
function junkRequests(): Buffer[] {
  const keyed = (apiKey: string) =>
    request("GET /v1/deposit-addresses", { headers: { "x-api-key": apiKey } });
  return [
    request(`GET /v1/checkout/${"A".repeat(38)}`),
    request(`GET /c/${"A".repeat(38)}`),
    request("GET /wp-login.php"),
    request("GET /v1/deposit-addresses"),
    keyed("junk"),
    ...Array.from({ length: 20 }, () => keyed(newApiKey("another pepper", "test").key)),
  ];
}
