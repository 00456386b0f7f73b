import { clickLimits } from "@daric/domain/payment-link";
import { createRequest, UNCAPPED } from "../charge-requests.ts";
import { startClients } from "../clients.ts";
import { type Done, openGenerator, request } from "../generator.ts";
import { assertSame, type Bench, type Contestant, compare, print } from "../harness.ts";
import { linkOf } from "../payer.ts";
import type { Program } from "../programs.ts";
import { onStage, type StagedMerchant } from "../stage.ts";
import { spreadOf } from "../verdict.ts";

const CONNECTIONS = 32;
const CLICKERS = 32;
/** The clickers fall back a little, because each waits for its answers. */
const SENT_A_MINUTE = 12_000;
/** So many that none of them clicks too fast. */
const ADDRESSES = 200;
const bars = { must: 0.95, clicksAMinute: 10_000 };

/** The cost of clicks on a merchant's payment link for the merchant's keys. */
export const linkFlood: Bench = {
  name: "link-flood",
  measures:
    `orders a second of one merchant's key at ${CONNECTIONS} connections during a flood of clicks on a link of the same merchant that has ` +
    "all open orders that it may have, over the same during as many requests of links that do not exist, which are the cheapest; " +
    `half of the clicks come from one address, the others from ${ADDRESSES}, and half are forms`,
  bar: `at least ${bars.must} during ${bars.clicksAMinute} clicks a minute; no click makes an order`,
  run: (effort) =>
    onStage(async (stage) => {
      const { serve, merchant: makeMerchant, db } = await stage.open("link_flood");
      const api = await serve("api", { TRUSTED_PROXIES: "127.0.0.1" });
      const merchant = await makeMerchant(...UNCAPPED);
      const floodOf = (requests: Buffer[]) =>
        startClients(stage, api, {
          clients: CLICKERS,
          everyMs: (CLICKERS * 60_000) / SENT_A_MINUTE,
          isPatient: false,
          requests,
        });
      const flood = await floodOf(clicksOn(await busyLinkOf(api, merchant)));
      const junk = await floodOf(clicksOn("A".repeat(40)));
      const requests = Array.from({ length: CONNECTIONS }, () => createRequest(merchant).bytes);
      const key = await startClients(stage, api, { clients: CONNECTIONS, requests });
      const contestant = (
        name: string,
        run: (stretch: { seconds: number }) => Promise<Done>,
      ): Contestant => ({
        name,
        pid: api.pid,
        run: (extent) => run("seconds" in extent ? extent : effort),
      });
      const ceiling = contestant("beside junk", async ({ seconds }) => {
        const [orders] = await Promise.all([key.run({ seconds }), junk.run({ seconds })]);
        return orders;
      });
      const paces: number[] = [];
      const ours = contestant("beside clicks", async ({ seconds }) => {
        const [orders, clicks] = await Promise.all([key.run({ seconds }), flood.run({ seconds })]);
        paces.push((clicks.refused / clicks.elapsedMs) * 60_000);
        print(`    beside ${Math.round(paces.at(-1) ?? 0)} clicks a minute`);
        return orders;
      });
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid }, effort);
      const { rows } = await db.query("select from deposit_addresses where payment_link_id is not null");
      assertSame("orders of the link", { before: clickLimits.openOfLink, after: rows.length });
      return { ...outcome, unit: "a second", bars, holds: spreadOf(paces).median >= bars.clicksAMinute };
    }),
};

/** A link with as many open orders as it may have. */
async function busyLinkOf({ port }: Program, { apiKey }: StagedMerchant): Promise<string> {
  const token = await linkOf(`http://127.0.0.1:${port}`, apiKey);
  const generator = await openGenerator(port, 1);
  let clicks = 0;
  const next = () => {
    clicks += 1;
    return { bytes: clickByApi(token, `198.19.0.${clicks}`), expected: 201 };
  };
  await generator.run(next, { count: clickLimits.openOfLink });
  generator.close();
  return token;
}

function clicksOn(token: string): Buffer[] {
  return Array.from({ length: ADDRESSES / 2 }, (_, n) => [
    ...["198.18.1.1", `198.18.2.${n}`].map((address) =>
      clickByApi(token, address, `attempt-of-api-${1_000 + n}`),
    ),
    ...["198.18.1.1", `198.18.3.${n}`].map((address) =>
      clickByForm(token, address, `attempt-of-form-${1_000 + n}`),
    ),
  ]).flat();
}

function clickByApi(token: string, address: string, attempt?: string): Buffer {
  const headers = { "x-forwarded-for": address };
  return request(`POST /v1/links/${token}/orders`, { headers, body: { attempt } });
}

/** As a browser sends it. */
function clickByForm(token: string, address: string, attempt: string): Buffer {
  const form = `attempt=${attempt}`;
  const headers = {
    "x-forwarded-for": address,
    "accept-encoding": "br",
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(form.length),
  };
  return Buffer.concat([request(`POST /l/${token}`, { headers }), Buffer.from(form)]);
}
