import { strict as assert } from "node:assert";
import { until } from "@daric/testing/until";
import { orderWhen, readOrder, whenNoted } from "../orders.ts";
import { type Purchase, purchase } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";

const EVENT_MS = 40_000;

type DaricRefund = { readonly id: string; readonly status: string; readonly amount: string };

async function paidOrder(rig: Rig): Promise<Purchase> {
  const bought = await purchase(rig);
  await rig.daric.pay(bought.chargeId, "exact");
  await orderWhen(rig.site, bought.orderId, "processing");
  return bought;
}

/** Presses WooCommerce's refund button. Returns the id of WooCommerce's refund. */
async function refund({ site }: Rig, orderId: number, amount: string): Promise<number> {
  return site.php<number>(
    `wp_set_current_user(1);
    $refund = wc_create_refund(['order_id' => $args['id'], 'amount' => $args['amount'], 'reason' => 'Broken', 'refund_payment' => true]);
    if (is_wp_error($refund)) throw new Exception($refund->get_error_message());
    return $refund->get_id();`,
    { id: orderId, amount },
  );
}

/** The newest refund of the charge in Daric. */
async function refundInDaric({ daric }: Rig, chargeId: string): Promise<DaricRefund> {
  const refunds = await daric.call<DaricRefund[]>("GET", `/v1/refunds?depositAddressId=${chargeId}`);
  const [newest] = refunds;
  if (newest === undefined) throw new Error("Daric has no refund of the charge");
  return newest;
}

/** The customer claims it, the owner confirms it in the dashboard, and it is paid. */
async function finish({ daric, owner }: Rig, id: string): Promise<void> {
  const play = (step: "claim" | "pay") =>
    daric.call("POST", `/v1/test/refunds/${id}/simulate`, { case: step });
  await play("claim");
  const { needs_confirmation: doubt } = await daric.call("GET", `/v1/refunds/${id}`);
  if (doubt !== null) await owner.post(`/v1/refunds/${id}/confirm`);
  await play("pay");
  await daric.mine();
}

const mailsTo = async ({ site }: Rig, text: RegExp) =>
  (await site.mails()).filter(({ subject, message }) => text.test(`${subject} ${message}`));

export const refunds = [
  journey(
    "a whole refund keeps the order's status until it is paid in Daric; then the order is refunded",
    async (rig) => {
      const { site } = rig;
      const { orderId, chargeId } = await paidOrder(rig);
      const { total } = await readOrder(site, orderId);
      const before = (await mailsTo(rig, /has been refunded|Order Refunded|order.*refunded/i)).length;
      await refund(rig, orderId, total);
      const waiting = await readOrder(site, orderId);
      assert.equal(waiting.status, "processing", waiting.notes.join(" | "));
      assert.equal((await mailsTo(rig, /has been refunded|Order Refunded|order.*refunded/i)).length, before);
      const { id } = await refundInDaric(rig, chargeId);
      await finish(rig, id);
      await orderWhen(site, orderId, "refunded", EVENT_MS);
      const tx = (await rig.daric.call("GET", `/v1/refunds/${id}`)).tx_hash;
      await whenNoted(site, orderId, new RegExp(tx), EVENT_MS);
      await until(
        "WooCommerce's mail has gone",
        async () => (await mailsTo(rig, /has been refunded|Order Refunded|order.*refunded/i)).length > before,
      );
    },
  ),
  journey("a partial refund in euros is paid and leaves the order processing", async (rig) => {
    const { site } = rig;
    const { orderId, chargeId } = await paidOrder(rig);
    await refund(rig, orderId, "5.00");
    const { id } = await refundInDaric(rig, chargeId);
    await finish(rig, id);
    await until(
      "a note says it",
      async () =>
        (await readOrder(site, orderId)).notes.some(
          (note) => /paid|completed/i.test(note) && /5[.,]00/.test(note),
        ),
      EVENT_MS,
    );
    assert.equal((await readOrder(site, orderId)).status, "processing");
  }),
  journey("a partial refund of an order that was paid in two parts takes from both", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await daric.pay(chargeId, "under");
    await orderWhen(site, orderId, "on-hold");
    const rest = await daric.call("POST", `/v1/deposit-addresses/${chargeId}/rest`);
    await daric.pay(rest.id, "exact");
    const { total } = await orderWhen(site, orderId, "processing");
    const part = Number(total) - 1;
    await refund(rig, orderId, part.toFixed(2));
    const asked = [await refundInDaric(rig, chargeId), await refundInDaric(rig, rest.id)];
    const coins = asked.reduce((sum, { amount }) => sum + Number(amount), 0);
    const { amount_due: due } = await daric.call("GET", `/v1/deposit-addresses/${chargeId}`);
    const share = (Number(due) * part) / Number(total);
    assert.ok(Math.abs(coins - share) < 0.00001, `${coins} of ${due} are asked for, and not ${share}`);
  }),
  journey("the customer gets the link to claim his refund by mail", async (rig) => {
    const { orderId, chargeId } = await paidOrder(rig);
    await refund(rig, orderId, "1.00");
    const { id } = await refundInDaric(rig, chargeId);
    const { claim_url: link } = await rig.daric.call("GET", `/v1/refunds/${id}`);
    const path = new URL(link).pathname;
    await until(
      "the mail has it",
      async () => (await rig.site.mails()).some(({ message }) => message.includes(path)),
      EVENT_MS,
    );
  }),
  journey("a refund that is cancelled in Daric is taken back in the shop", async (rig) => {
    const { site } = rig;
    const { orderId, chargeId } = await paidOrder(rig);
    const refundId = await refund(rig, orderId, "2.00");
    const { id } = await refundInDaric(rig, chargeId);
    await rig.daric.call("POST", `/v1/refunds/${id}/cancel`);
    await until(
      "it is gone",
      async () => (await site.sql("select id from wp_wc_orders where id = ?", [refundId])).length === 0,
      EVENT_MS,
    );
    assert.equal((await readOrder(site, orderId)).status, "processing");
  }),
  journey("no event of a payment changes an order that is refunded", async (rig) => {
    const { orderId, chargeId } = await paidOrder(rig);
    await refund(rig, orderId, (await readOrder(rig.site, orderId)).total);
    await finish(rig, (await refundInDaric(rig, chargeId)).id);
    await orderWhen(rig.site, orderId, "refunded", EVENT_MS);
    await rig.daric.pay(chargeId, "exact").catch(() => rig.daric.pay(chargeId, "late"));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    assert.equal((await readOrder(rig.site, orderId)).status, "refunded");
  }),
];
