import { strict as assert } from "node:assert";
import { readOrder } from "../orders.ts";
import { journey, newShopper } from "../rig.ts";

const ORDERS = 50;
const SEED = 54;

type Line = { readonly price: number; readonly quantity: number; readonly rate: 19 | 7 };

/** A small generator with a fixed seed, so that each run has the same orders: mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** From units that are `scale` to a cent: half up. */
const roundTo = (value: bigint, scale: bigint): bigint => (value + scale / 2n) / scale;

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** By which WooCommerce sorts the lines before it gives away the last cents of a discount. */
type Dearness = (line: Line) => number;
const byPiece: Dearness = ({ price }) => price;
/** `price` of WooCommerce 8.2 is that of the line already. */
const byLineAndQuantity: Dearness = ({ price, quantity }) => price * quantity ** 2;

type Coupon = { readonly percent: bigint; readonly dearness: Dearness };

/** The discount of each line in cents, rounded down. The rest of the cart's discount goes to the dearest lines, a cent for each piece. */
function discountsOf(lines: readonly Line[], { percent, dearness }: Coupon): bigint[] {
  const net = lines.map(({ price, quantity }) => BigInt(price) * BigInt(quantity));
  const off = net.map((value) => (value * percent) / 100n);
  // The discount of the cart is rounded half down.
  let rest = (sum(net) * percent + 49n) / 100n - sum(off);
  const dearestFirst = [...lines.entries()]
    .toSorted(([, a], [, b]) => dearness(b) - dearness(a))
    .map(([at]) => at);
  for (const at of dearestFirst)
    for (let piece = 0; piece < (lines[at]?.quantity ?? 0) && rest > 0n; piece += 1, rest -= 1n)
      off[at] = (off[at] ?? 0n) + 1n;
  return off;
}

/**
 * The total in cents, by integers alone: the tax of each line is rounded half up. Shipping is 4.90 and has the standard tax, unless all of the cart
 * has the reduced one.
 */
function expectedCents(lines: readonly Line[], coupon: Coupon): bigint {
  const off = discountsOf(lines, coupon);
  const net = lines.map(({ price, quantity }, at) => BigInt(price) * BigInt(quantity) - (off[at] ?? 0n));
  const taxes = lines.map(({ rate }, at) => roundTo((net[at] ?? 0n) * BigInt(rate), 100n));
  const shipping = 490n;
  const shippingRate = lines.some(({ rate }) => rate === 19) ? 19n : 7n;
  return sum(net) + sum(taxes) + shipping + roundTo(shipping * shippingRate, 100n);
}

export const sums = [
  journey(
    `${ORDERS} orders with random prices, taxes and coupons ask for the sum to the cent`,
    async (rig) => {
      const random = randomOf(SEED);
      const pool: Line[] = Array.from({ length: 24 }, (_, n) => ({
        price: 1 + random(n % 3 === 0 ? 99 : 20_000),
        quantity: 1,
        rate: random(2) === 0 ? 19 : 7,
      }));
      const ids = await rig.site.php<number[]>(
        `return array_map(function ($line) {
         $p = new WC_Product_Simple(); $p->set_name('Thing'); $p->set_regular_price(sprintf('%d.%02d', intdiv($line['price'], 100), $line['price'] % 100));
         $p->set_tax_class($line['rate'] === 7 ? 'reduced-rate' : ''); return $p->save();
       }, $args['pool']);`,
        { pool },
      );
      const isOld = await rig.site.php<boolean>("return version_compare(WC()->version, '9.0', '<');");
      const dearness = isOld ? byLineAndQuantity : byPiece;
      const wrong: string[] = [];
      for (let n = 0; n < ORDERS; n += 1) {
        const chosen = new Map<number, number>();
        for (let line = 0; line <= random(4); line += 1) chosen.set(random(pool.length), 1 + random(5));
        const hasCoupon = random(3) === 0;
        const shopper = newShopper(rig);
        await shopper.store("GET", "/cart");
        for (const [at, quantity] of chosen)
          await shopper.store("POST", "/cart/add-item", { id: ids[at], quantity });
        if (hasCoupon) await shopper.coupon("tenth");
        const lines = [...chosen].map(([at, quantity]) => ({ ...(pool[at] as Line), quantity }));
        const cents = expectedCents(lines, { percent: hasCoupon ? 10n : 0n, dearness });
        const { orderId } = await (n % 2 === 0 ? shopper.orderClassic() : shopper.orderByBlocks());
        const { attempts, total } = await readOrder(rig.site, orderId);
        const asked = attempts.at(-1)?.amount ?? "nothing";
        const charge = await rig.daric.call("GET", `/v1/deposit-addresses/${attempts.at(-1)?.chargeId}`);
        const inDaric = BigInt(Math.round(Number(charge.fiat_amount) * 100));
        if (BigInt(Math.round(Number(asked) * 100)) !== cents || inDaric !== cents)
          wrong.push(
            `${JSON.stringify(lines)} coupon ${hasCoupon}: ${cents} cents expected, ${total} total, ${asked} asked, ${charge.fiat_amount} in Daric`,
          );
      }
      assert.deepEqual(wrong, []);
    },
  ),
];
