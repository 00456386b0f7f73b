import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@daric/testing/until";
import { hasTask, orderWhen, readOrder, whenNoted } from "../orders.ts";
import { type Purchase, purchase } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";
import { withoutWebhooks } from "../signed-event.ts";

const EVENT_MS = 6_000;

const setStatus = ({ site }: Rig, id: number, status: string) =>
  site.php("wc_get_order($args['id'])->update_status($args['status']); return true;", { id, status });

const chargeIn = ({ daric }: Rig, chargeId: string) => daric.call("GET", `/v1/deposit-addresses/${chargeId}`);

const returnMoney = ({ site }: Rig, id: number, charge: string) =>
  site.php(
    "(new Daric\\WooCommerce\\Refunds(Daric\\WooCommerce\\Connection::current()))->returnMoney($args['id'], $args['charge'], false); return true;",
    { id, charge },
  );

const buttonsOf = ({ site }: Rig, id: number) =>
  site.php<Record<string, string>>(
    "return Daric\\WooCommerce\\Admin\\Returnable::of(wc_get_order($args['id']));",
    {
      id,
    },
  );

/** An order of which half has come, and the charge of its rest. */
async function withRest(rig: Rig): Promise<Purchase & { readonly restId: string }> {
  const bought = await purchase(rig);
  await rig.daric.pay(bought.chargeId, "under");
  await whenNoted(rig.site, bought.orderId, /Too little came/);
  const { id } = await rig.daric.call("POST", `/v1/deposit-addresses/${bought.chargeId}/rest`);
  return { ...bought, restId: id };
}

/** The sum that is asked back of a charge, and the sum that came to it. */
async function returnedOf(rig: Rig, chargeId: string): Promise<readonly [string, string]> {
  const [refund] = await rig.daric.call<{ amount: string }[]>(
    "GET",
    `/v1/refunds?depositAddressId=${chargeId}`,
  );
  return [refund?.amount ?? "", (await chargeIn(rig, chargeId)).amount_received];
}

/** Money of an order that is not its price, or not any more. */
export const spareMoney = [
  journey("the link for the rest takes no money for an order that is cancelled", async (rig) => {
    const { orderId, chargeId, shopper } = await purchase(rig);
    await rig.daric.pay(chargeId, "under");
    const { key } = await orderWhen(rig.site, orderId, "on-hold");
    await whenNoted(rig.site, orderId, /Too little came/);
    const link = `/?wc-api=daric&to=pay&order=${orderId}&key=${key}`;
    assert.equal((await shopper.get(link)).status, 302);
    await setStatus(rig, orderId, "cancelled");
    assert.match((await shopper.get(link)).text, /needs no payment/);
    await sleep(EVENT_MS);
    assert.equal((await readOrder(rig.site, orderId)).status, "cancelled");
  }),
  journey("an order whose part was returned is not paid by the rest", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId, shopper } = await purchase(rig);
    await daric.pay(chargeId, "under");
    await whenNoted(site, orderId, /Too little came/);
    const rest = await daric.call("POST", `/v1/deposit-addresses/${chargeId}/rest`);
    await returnMoney(rig, orderId, chargeId);
    const { key } = await readOrder(site, orderId);
    const page = await shopper.get(`/?wc-api=daric&to=pay&order=${orderId}&key=${key}`);
    assert.match(page.text, /wait for the shop/);
    await daric.pay(rest.id, "exact");
    const order = await whenNoted(site, orderId, /Compare what is left/);
    assert.deepEqual([order.status, order.isPaid, hasTask(order)], ["on-hold", false, true]);
  }),
  journey("late money of an order and of its rest goes back whole", async (rig) => {
    const { orderId, chargeId, restId } = await withRest(rig);
    await rig.daric.pay(restId, "under");
    await until("the part is final", async () => (await chargeIn(rig, restId)).payment_state === "under");
    // The time of the first charge ended when its rest was asked for.
    await rig.daric.pay(chargeId, "exact");
    await whenNoted(rig.site, orderId, /too late/i);
    await returnMoney(rig, orderId, chargeId);
    for (const id of [chargeId, restId]) {
      const [asked, received] = await returnedOf(rig, id);
      assert.equal(Number(asked), Number(received), id);
    }
    assert.deepEqual(await buttonsOf(rig, orderId), []);
  }),
  journey("too much for a rest pays the order, and the surplus goes back", async (rig) => {
    const { orderId, chargeId, restId } = await withRest(rig);
    await rig.daric.pay(restId, "over");
    const order = await orderWhen(rig.site, orderId, "processing");
    assert.ok(hasTask(order), "no task");
    assert.match((await buttonsOf(rig, orderId))[chargeId] ?? "", /surplus of/);
    await returnMoney(rig, orderId, chargeId);
    const [asked, received] = await returnedOf(rig, restId);
    const { amount_due: due } = await chargeIn(rig, restId);
    assert.ok(Math.abs(Number(asked) - (Number(received) - Number(due))) < 0.000001, asked);
  }),
  journey("cancelling an order closes the rest that its customer was asked for", async (rig) => {
    const { orderId, chargeId, restId } = await withRest(rig);
    await setStatus(rig, orderId, "cancelled");
    await until("it is closed", async () => (await chargeIn(rig, restId)).status === "ARCHIVED");
    assert.deepEqual(Object.keys(await buttonsOf(rig, orderId)), [chargeId]);
  }),
  journey("cancelling an order with a part of its money is a task, and its page closes", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "under");
    await whenNoted(rig.site, orderId, /Too little came/);
    await setStatus(rig, orderId, "cancelled");
    const order = await whenNoted(rig.site, orderId, /order that was cancelled/);
    assert.deepEqual([order.status, hasTask(order)], ["cancelled", true]);
    assert.equal((await chargeIn(rig, chargeId)).status, "ARCHIVED");
    assert.deepEqual(Object.keys(await buttonsOf(rig, orderId)), [chargeId]);
  }),
  journey("the other coin stays to be returned after the right coin paid the order", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "wrong_coin");
    await whenNoted(rig.site, orderId, /TRX/);
    await rig.daric.pay(chargeId, "over");
    await orderWhen(rig.site, orderId, "processing");
    assert.deepEqual(Object.keys(await buttonsOf(rig, orderId)), [chargeId, `${chargeId}|other`]);
  }),
  journey(
    "an order that a person calls paid while its money is not final needs nothing later",
    async (rig) => {
      const { orderId, chargeId } = await purchase(rig);
      await rig.daric.pay(chargeId, "exact", { isFinal: false });
      await orderWhen(rig.site, orderId, "on-hold");
      await setStatus(rig, orderId, "processing");
      await rig.daric.mine();
      await until("it is paid", async () => (await chargeIn(rig, chargeId)).payment_status === "paid");
      await sleep(EVENT_MS);
      const order = await readOrder(rig.site, orderId);
      assert.deepEqual(
        [order.status, order.meta._daric_paid_by, hasTask(order)],
        ["processing", chargeId, false],
      );
    },
  ),
  journey("an order that is deleted without the trash closes its unpaid charge", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.site.php("return wc_get_order($args['id'])->delete(true);", { id: orderId });
    await until("it is closed", async () => (await chargeIn(rig, chargeId)).status === "ARCHIVED");
  }),
  journey("cancelling an order finds money whose webhook was lost, and notes it", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await withoutWebhooks(rig, async () => {
      await rig.daric.pay(chargeId, "exact");
      await until("it is paid", async () => (await chargeIn(rig, chargeId)).payment_status === "paid");
      await setStatus(rig, orderId, "cancelled");
    });
    const order = await whenNoted(rig.site, orderId, /order that was cancelled/);
    assert.deepEqual([order.status, order.isPaid, hasTask(order)], ["on-hold", false, true]);
  }),
];
