import { listOpenLinks } from "@daric/console/people/members/link-store";
import { listMembers } from "@daric/console/people/members/membership-store";
import { idOf } from "@daric/domain/ids";
import type { Variables } from "../process/config.ts";
import { type InitOptions, ownerQuestion } from "./init-questions.ts";
import { answerOfShop, type FirstShop } from "./init-shop.ts";
import type { Interview } from "./interview.ts";
import type { RunForService } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

/** The way of the merchant's owner into the dashboard: what the operator reads, and the link if one was made. */
export type OwnerEntrance = { readonly text: string; readonly ownerLink?: string };

type Asking = {
  readonly interview: Interview;
  readonly options: InitOptions;
  readonly run: RunForService;
};

/**
 * Makes the one-time link of the merchant's owner, unless the merchant has an owner or an open link. Undefined if the
 * dashboard is off.
 */
export async function inviteOwner(
  variables: Variables,
  { merchant }: FirstShop,
  { interview, options, run }: Asking,
): Promise<OwnerEntrance | undefined> {
  const found = await findEntrance(variables, merchant.id);
  if (found.isOff) return undefined;
  const dashboard = `${found.url}/dashboard`;
  if (found.hasOwner) return { text: `The dashboard of its owner: ${dashboard}` };
  const invite = (email: string) => [
    "people",
    "invite",
    "--email",
    email,
    "--merchant",
    merchant.id,
    "--role",
    "owner",
  ];
  const email =
    found.invited === undefined || options.owner !== undefined
      ? await answerOfShop(ownerQuestion, { interview, options })
      : undefined;
  if (email === undefined)
    return {
      text: found.invited
        ? `${found.invited.email} has an open link into the dashboard, until ${dayOf(found.invited.expiresAt)}.`
        : `A link into the dashboard (${dashboard}) for the owner: npx daric ${invite("<e-mail>").join(" ")}`,
    };
  const { link, expiresAt } = await run<{ link: string; expiresAt: string }>(invite(email));
  return {
    ownerLink: link,
    text: `The owner's link into the dashboard, for ${email} alone; it works once, until ${dayOf(new Date(expiresAt))}:\n  ${link}`,
  };
}

function findEntrance(variables: Variables, id: string) {
  const needed = ["people.dashboard", "people.baseUrl", "http.publicBaseUrl"] as const;
  return withOwnersDatabase(variables, needed, async ({ db, config }) => {
    const merchantId = idOf("merchant", id);
    const members = await listMembers(db, merchantId);
    const links = await listOpenLinks(db, merchantId);
    return {
      isOff: config.people.dashboard === "off",
      url: config.people.baseUrl ?? config.http.publicBaseUrl ?? "",
      hasOwner: members.some(({ role }) => role === "owner"),
      invited: links.find(({ role }) => role === "owner"),
    };
  });
}

function dayOf(time: Date): string {
  return `${time.toISOString().slice(0, 10)} (UTC)`;
}
