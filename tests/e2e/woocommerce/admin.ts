import { openShopper, type Shopper } from "./shopper.ts";
import type { ShopIds, Site } from "./wordpress.ts";

const PAGE = "/wp-admin/admin.php?page=daric";

/** The shop's administrator at *WooCommerce, Daric*, without a browser: the same requests as its buttons send. */
export type ShopAdmin = {
  /** the text of the page, without markup */
  read(): Promise<string>;
  /** the page as it is sent */
  html(): Promise<string>;
  /** Presses the button of this action, and returns the text of the page then. */
  press(action: string, fields?: Record<string, string>): Promise<string>;
};

export async function openShopAdmin(site: Site, facts: ShopIds): Promise<ShopAdmin> {
  const browser: Shopper = openShopper(site, facts);
  const login = { log: "admin", pwd: "admin", "wp-submit": "Log In", testcookie: "1" };
  await browser.get("/wp-login.php");
  await browser.post("/wp-login.php", login);
  const html = async () => {
    const { status, headers, text } = await browser.get(PAGE);
    if (status !== 200)
      throw new Error(`the page WooCommerce, Daric answers ${status} ${headers.get("location")}`);
    return text;
  };
  const read = async () => textOf(await html());
  return {
    html,
    read,
    press: async (action, fields = {}) => {
      const form = new RegExp(`value="daric_${action}">.*?name="_wpnonce" value="(\\w+)"`, "s");
      const [, nonce] = form.exec(await html()) ?? [];
      if (nonce === undefined) throw new Error(`the page WooCommerce, Daric has no button ${action}`);
      await browser.post("/wp-admin/admin-post.php", {
        action: `daric_${action}`,
        _wpnonce: nonce,
        ...fields,
      });
      return read();
    },
  };
}

/** The part of the plugin, without its markup. */
function textOf(html: string): string {
  const part = html.slice(Math.max(0, html.indexOf("daric-page")));
  return part
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}
