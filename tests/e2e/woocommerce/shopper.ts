import type { Row } from "@daric/testing/stack";
import type { ShopIds, Site } from "./wordpress.ts";

/** A customer without a browser: the same requests as the two checkouts send, with cookies. */
export type Shopper = {
  /** Opens an address of the shop, or one path of it. It does not follow a redirect. */
  get(path: string): Promise<Visit>;
  post(path: string, form: Record<string, string>): Promise<Visit>;
  add(product: keyof ShopIds["products"], quantity?: number): Promise<void>;
  coupon(code: string): Promise<void>;
  /** The classic checkout. @throws Error with what the shop answers instead of an order */
  orderClassic(options?: OrderOptions): Promise<Placed>;
  /** The block checkout: calls of the Store API. */
  orderByBlocks(options?: OrderOptions): Promise<Placed>;
  /** Calls the Store API as the blocks do. */
  store(method: string, path: string, body?: object): Promise<Row>;
};

export type Visit = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: string;
};
export type OrderOptions = { readonly method?: string; readonly fields?: Record<string, string> };
export type Placed = { readonly orderId: number; readonly redirect: string };

export const ADDRESS = {
  first_name: "Ada",
  last_name: "Byron",
  address_1: "Lindenstr. 1",
  city: "Berlin",
  postcode: "10969",
  country: "DE",
  phone: "030 123456",
  email: "ada@example.com",
};

export function openShopper({ url }: Pick<Site, "url">, { products, pages }: ShopIds): Shopper {
  const cookies = new Map<string, string>();
  let storeHeaders: Record<string, string> = {};

  async function visit(path: string, init: RequestInit = {}): Promise<Visit> {
    const address = path.startsWith("/") ? `${url}${path}` : path;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(address, {
      ...init,
      redirect: "manual",
      headers: { cookie, ...(init.headers as Record<string, string>) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /Max-Age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text(), url: address };
  }

  const post = (path: string, form: Record<string, string>) =>
    visit(path, { method: "POST", body: new URLSearchParams(form) });

  async function store(method: string, path: string, body?: object): Promise<Row> {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const headers = { "content-type": "application/json", ...storeHeaders };
    const answer = await visit(`/?rest_route=/wc/store/v1${path.replace("?", "&")}`, { ...init, headers });
    const nonce = answer.headers.get("nonce");
    if (nonce !== null) storeHeaders = { nonce };
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 1_000)}`);
    return JSON.parse(answer.text) as Row;
  }

  return {
    get: (path) => visit(path),
    post,
    store,
    add: async (product, quantity = 1) => {
      if (storeHeaders.nonce === undefined) await store("GET", "/cart");
      await store("POST", "/cart/add-item", { id: products[product], quantity });
    },
    coupon: async (code) => void (await store("POST", "/cart/apply-coupon", { code })),
    orderClassic: async ({ method = "daric", fields = {} } = {}) => {
      const page = await visit(`/?page_id=${pages.classic}`).then((first) =>
        first.status === 301 ? visit(first.headers.get("location") ?? "") : first,
      );
      const [, nonce = ""] = /name="woocommerce-process-checkout-nonce" value="(\w+)"/.exec(page.text) ?? [];
      const [, rate = ""] = /name="shipping_method\[0\]"[^>]*value="([^"]+)"/.exec(page.text) ?? [];
      const billing = Object.entries(ADDRESS).map(([name, value]) => [`billing_${name}`, value]);
      const answer = await post("/?wc-ajax=checkout", {
        ...Object.fromEntries(billing),
        ...{ payment_method: method, "shipping_method[0]": rate, order_comments: "" },
        ...{ "woocommerce-process-checkout-nonce": nonce, _wp_http_referer: "/?wc-ajax=update_order_review" },
        ...fields,
      });
      const { result, redirect, order_id: orderId, messages } = parsed(answer);
      if (result !== "success")
        throw new Error(`no order: ${withoutMarkup(String(messages ?? answer.text))}`);
      return { orderId: Number(orderId), redirect };
    },
    orderByBlocks: async ({ method = "daric", fields = {} } = {}) => {
      const { email, phone: _, ...shipping } = ADDRESS;
      const answer = await store("POST", "/checkout", {
        billing_address: { ...ADDRESS, email },
        shipping_address: shipping,
        payment_method: method,
        payment_data: [],
        ...fields,
      });
      const { payment_status: status, redirect_url: redirect } = answer.payment_result;
      if (status !== "success") throw new Error(`no order: ${JSON.stringify(answer)}`);
      return { orderId: answer.order_id, redirect };
    },
  };
}

function parsed({ status, text }: Visit): Row {
  try {
    return JSON.parse(text) as Row;
  } catch {
    throw new Error(`the shop answers ${status}: ${withoutMarkup(text)}`);
  }
}

/** A page or message without its markup, shortened. */
export function withoutMarkup(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 600);
}
