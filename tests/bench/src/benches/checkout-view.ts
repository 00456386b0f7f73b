import { chargeBody, createOrders, getRequest, inTurn, UNCAPPED } from "../charge-requests.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, compare } from "../harness.ts";
import { onStage } from "../stage.ts";

const CONNECTIONS = 32;
const ORDERS = 1_000;
const bars = { must: 0.8, goal: 1.2 };

/** How fast the payer's page shows the progress of the payment. */
export const checkoutView: Bench = {
  name: "checkout-view",
  measures:
    "reads a second of the checkout projection of 1,000 orders at 32 connections, over a bare Fastify route with one " +
    "named select on a pool of 10",
  bar: `at least ${bars.must}, goal ${bars.goal}`,
  run: (effort) =>
    onStage(async (stage) => {
      const { db, ownerEnv, serve, merchant } = await stage.open("checkout_view");
      const seller = await merchant(...UNCAPPED);
      const api = await serve("api");
      const generator = await openGenerator(api.port, 8);
      const tokens = (await createOrders(generator, seller, ORDERS)).map(({ token }) => token);
      generator.close();
      await db.query(`
        create table ceiling (
          token text primary key, name text, address text, amount text, state text, made timestamptz default now())`);
      await db.query(
        `insert into ceiling (token, name, address, amount, state)
         select token, 'Blue Bottle Books', 'TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4', '25.5', 'awaiting'
         from unnest($1::text[]) token`,
        [tokens],
      );
      await db.query("vacuum analyze");
      const bare = await stage.child("bare-select", ownerEnv);
      const requests = tokens.map((token) => getRequest(`/v1/checkout/${token}`));
      const ceiling = chargeBody("bare", bare, { connections: CONNECTIONS, next: inTurn(requests) });
      const ours = chargeBody("checkout", api, { connections: CONNECTIONS, next: inTurn(requests) });
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid }, effort);
      return { ...outcome, unit: "a second", bars };
    }),
};
