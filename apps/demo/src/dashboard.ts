import { daric } from "./command-line.ts";
import type { DemoMerchant } from "./merchants.ts";

/** The e-mail address of the account that the links create. No mail is ever sent to it. */
const EMAIL = "owner@daric.example";

/** The ways into the dashboard. A link works once; it is undefined once an account has the rights that it gives. */
export type Entrance = {
  readonly url: string;
  /** e-mail address of a member of the demo merchant, for the sign-in; undefined without a member */
  readonly member: string | undefined;
  /** creates an account that owns the demo merchant */
  readonly ownerLink: string | undefined;
  /** makes the account an operator */
  readonly operatorLink: string | undefined;
};

type ListedPerson = {
  readonly email: string;
  readonly isOperator: boolean;
  readonly memberships: readonly string[];
};

/** Makes new links; those of the previous start stop working. Returns undefined if the dashboard is off. */
export async function openDashboard(
  { merchantId }: DemoMerchant,
  env: NodeJS.ProcessEnv,
): Promise<Entrance | undefined> {
  if (env.DASHBOARD?.trim() === "off") return undefined;
  const people = await daric<ListedPerson[]>(["people", "list"], env);
  const invite = async (...place: string[]) =>
    (await daric<{ link: string }>(["people", "invite", "--email", EMAIL, ...place], env)).link;
  const member = people.find(({ memberships }) =>
    memberships.some((membership) => membership.endsWith(merchantId)),
  );
  const hasOperator = people.some(({ isOperator }) => isOperator);
  return {
    url: `${env.DASHBOARD_BASE_URL?.replace(/(?<!\/)\/+$/, "")}/dashboard`,
    member: member?.email,
    ownerLink: member ? undefined : await invite("--merchant", merchantId, "--role", "owner"),
    operatorLink: hasOperator ? undefined : await invite("--operator"),
  };
}
