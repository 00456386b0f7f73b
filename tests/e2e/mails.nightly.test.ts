import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Letter } from "@daric/console/messages/letter";
import { renderMemberMessage } from "@daric/console/messages/member-message";
import { renderPayerMail } from "@daric/console/messages/payer-mail";
import { checkoutLanguages } from "@daric/domain/checkout";
import {
  aMailToPayer,
  aPayerMail,
  memberSamples,
  payerMailKinds,
  SAMPLE_LOGO,
} from "@daric/testing/message-samples";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const PHONE = { width: 360, height: 640 };
const LONG = "Ω-".repeat(250);

const mails: [string, Letter][] = [
  ...checkoutLanguages.flatMap((tag) =>
    payerMailKinds.map((kind): [string, Letter] => [
      `${kind} in ${tag}`,
      renderPayerMail(aMailToPayer(kind, { language: tag, network: "nile" })),
    ]),
  ),
  ...["#ffffff", "#16191e", "#ffd400"].map((accentColor): [string, Letter] => [
    `long texts on ${accentColor}`,
    renderPayerMail(
      aPayerMail("paid", {
        shop: { name: LONG, accentColor, logo: null, supportEmail: null },
        order: { orderRef: LONG, received: "999999999999.123456" },
      }),
    ),
  ]),
  ...memberSamples.map((facts): [string, Letter] => [facts.kind, renderMemberMessage(facts)]),
];

let browser: Browser;
let axe: string;
beforeAll(async () => {
  browser = await launchBrowser();
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
});
afterAll(() => browser?.close());

type Findings = { readonly compared: number; readonly found: readonly Finding[] };
type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** The mail as a program shows it that puts the attached logo in its place. */
function shown({ html }: Letter): string {
  return html.replace("cid:logo", `data:image/png;base64,${SAMPLE_LOGO.toString("base64")}`);
}

it.each(mails)(
  "the mail %s fits a phone, is read in both schemes, and asks for nothing",
  async (_, letter) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: PHONE, colorScheme });
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.setContent(shown(letter));
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      const { compared, found } = await page.evaluate<Findings>(`${axe};
      axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
        .then(({ passes, violations, incomplete }) => ({
          compared: passes.find(({ id }) => id === "color-contrast").nodes.length,
          found: [...violations, ...incomplete],
        }))`);
      expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(compared).toBeGreaterThanOrEqual(5);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.s')).backgroundColor")).toBe(
        colorScheme === "dark" ? "rgb(22, 25, 30)" : "rgb(255, 255, 255)",
      );
      expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([]);
      await page.close();
    }
  },
);
