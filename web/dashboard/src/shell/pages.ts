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
  const { shell } = words;
  const groups: PageGroup[] = [
    {
      links: [
        { to: "/", name: shell.home },
        { to: "/payments", name: shell.payments },
        { to: "/inbox", name: shell.inbox },
        { to: "/ask-for-payment", name: shell.askForPayment, needs: "charges:write" },
        { to: "/payment-links", name: shell.paymentLinks },
        { to: "/refunds", name: shell.refunds, needs: "refunds:read" },
        { to: "/settlement", name: shell.settlement },
      ],
    },
    {
      title: shell.developers,
      links: [
        { to: "/keys", name: shell.keys },
        { to: "/webhooks", name: shell.webhooks },
        { to: "/deliveries", name: shell.deliveries },
      ],
    },
    {
      title: shell.settings,
      links: [
        { to: "/branding", name: shell.branding },
        { to: "/settings", name: shell.settings },
        { to: "/people", name: shell.people },
        { to: "/notifications", name: shell.notifications },
        { to: "/audit", name: shell.audit },
      ],
    },
  ];
  return groups.map(({ links, ...rest }) => ({
    ...rest,
    links: links.filter(({ needs }) => needs === undefined || membership.scopes.includes(needs)),
  }));
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
