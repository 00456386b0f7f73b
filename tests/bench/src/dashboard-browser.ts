import { runDaricForOutput } from "@daric/server/cli";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { launchTestBrowser } from "./payer.ts";
import type { Program } from "./programs.ts";
import type { StagedDeployment } from "./stage.ts";

const PASSWORD = "seven grey cats watch the slow rain";
const SOON_MS = 60_000;

/** A browser in which people of merchants are signed in to the dashboard. */
export type DashboardBrowser = {
  readonly origin: string;
  /** Signs a new owner of the merchant in. Each page is a browser of its own, with an empty cache. */
  enter(merchantId: string, options?: BrowserContextOptions): Promise<OwnersBrowser>;
};
/** The first page of an owner, its devtools, and the state that signs another browser in. */
export type OwnersBrowser = {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Opens another browser, signed in as the same person. */
  openAgain(): Promise<{ readonly page: Page; readonly devtools: CDPSession }>;
};

/** Runs the work with a browser for the dashboard of this service. */
export async function withDashboardBrowser<T>(
  deployment: StagedDeployment,
  service: Program,
  work: (dashboard: DashboardBrowser) => Promise<T>,
): Promise<T> {
  const origin = `http://127.0.0.1:${service.port}`;
  const browser = await launchTestBrowser();
  try {
    return await work({
      origin,
      enter: (id, options) => enter({ deployment, origin, browser }, id, options),
    });
  } finally {
    await browser.close();
  }
}

type Place = { readonly deployment: StagedDeployment; readonly origin: string; readonly browser: Browser };

async function enter(
  { deployment, origin, browser }: Place,
  merchantId: string,
  options: BrowserContextOptions = {},
): Promise<OwnersBrowser> {
  const email = `ada-${merchantId}@shop.example`;
  const invitation = ["people", "invite", "--merchant", merchantId, "--role", "owner", "--email", email];
  const { link } = await runDaricForOutput<{ link: string }>(invitation, deployment.env);
  const first = await open(browser, options);
  await first.page.goto(`${origin}/dashboard/link#${link.split("#")[1]}`);
  await first.page.getByLabel("Your name").fill("Ada");
  await first.page.getByLabel("New password").fill(PASSWORD);
  await first.page.keyboard.press("Enter");
  await first.page.locator("#content h1").waitFor({ timeout: SOON_MS });
  const storageState = await first.page.context().storageState();
  return { ...first, openAgain: () => open(browser, { ...options, storageState }) };
}

async function open(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}
