import type { Membership } from "../api/sign-in-operations.ts";
import { words } from "../words/words.ts";

/** A page of the navigation. */
export type PageLink = {
  readonly to: string;
  readonly name: string;
  /** the scope without which the page is not offered */
  readonly needs?: string;
};
export type PageGroup = { readonly title?: string; readonly links: readonly PageLink[] };

/** The pages of a merchant, by what the role may do. */
export function merchantPages(membership: Membership | undefined): PageGroup[] {
  if (membership === undefined) return [];
  return allPages()
    .map(({ links, ...rest }) => ({ ...rest, links: links.filter((link) => isOffered(membership, link)) }))
    .filter(({ links }) => links.length > 0);
}

/** Whether the role has a right to the page of this path, or its parts; of another path too. */
export function mayOpen(membership: Membership, path: string): boolean {
  const links = allPages().flatMap((group) => group.links);
  const page = links.find(({ to }) => to !== "/" && (path === to || path.startsWith(`${to}/`)));
  return page === undefined || isOffered(membership, page);
}

function isOffered({ scopes }: Membership, { needs }: PageLink): boolean {
  return needs === undefined || scopes.includes(needs);
}

function allPages(): PageGroup[] {
  const { shell } = words;
  return [
    {
      links: [
        { to: "/", name: shell.home },
        { to: "/payments", name: shell.payments },
        { to: "/inbox", name: shell.inbox },
        { to: "/ask-for-payment", name: shell.askForPayment, needs: "charges:write" },
        { to: "/payment-links", name: shell.paymentLinks },
        { to: "/refunds", name: shell.refunds, needs: "refunds:read" },
        { to: "/settlement", name: shell.settlement, needs: "settlements:read" },
      ],
    },
    {
      title: shell.developers,
      links: [
        { to: "/keys", name: shell.keys, needs: "account:read" },
        { to: "/webhooks", name: shell.webhooks, needs: "webhooks:read" },
        { to: "/deliveries", name: shell.deliveries, needs: "webhooks:read" },
      ],
    },
    {
      title: shell.settings,
      links: [
        { to: "/branding", name: shell.branding, needs: "account:read" },
        { to: "/settings", name: shell.settings, needs: "account:read" },
        { to: "/people", name: shell.people, needs: "account:read" },
        { to: "/notifications", name: shell.notifications, needs: "account:read" },
        { to: "/audit", name: shell.audit, needs: "account:read" },
      ],
    },
  ];
}

/** The pages of the people who run the service. */
export function operatorPages(isOperator: boolean): PageGroup[] {
  if (!isOperator) return [];
  const { shell } = words;
  return [
    {
      title: shell.operator,
      links: [
        { to: "/operator", name: shell.overview },
        { to: "/operator/merchants", name: shell.merchants },
        { to: "/operator/accounts", name: shell.accounts },
      ],
    },
  ];
}
