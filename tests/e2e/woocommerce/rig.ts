import type { Browser, Page } from "playwright-core";
import type { ShopDaric } from "./daric.ts";
import type { ShopDatabases } from "./database.ts";
import type { ShopOwner } from "./owner.ts";
import { openShopper, type Shopper } from "./shopper.ts";
import type { ShopIds, Site } from "./wordpress.ts";

/** All that a journey needs: a shop that is connected to a Daric, and a browser. */
export type Rig = {
  readonly folder: string;
  /** the folder with WordPress and WooCommerce that `WORDPRESS_DIR` names */
  readonly source: string;
  readonly databases: ShopDatabases;
  readonly site: Site;
  readonly facts: ShopIds;
  readonly daric: ShopDaric;
  readonly owner: ShopOwner;
  readonly browser: Browser;
  /** the folder of pictures; undefined if none are wanted */
  readonly pictures: string | undefined;
};

/** One story of a shop. Its title states the rule. */
export type Journey = { readonly title: string; readonly run: (rig: Rig) => Promise<void> };

export function journey(title: string, run: Journey["run"]): Journey {
  return { title, run };
}

export const newShopper = ({ site, facts }: Rig): Shopper => openShopper(site, facts);

/** Keeps a picture of the whole page, for a reader of the log. */
export async function picture(rig: Rig, page: Page, name: string): Promise<void> {
  if (rig.pictures === undefined) return;
  await page.screenshot({ path: `${rig.pictures}/${name}.png`, fullPage: true, animations: "disabled" });
}
