import { daric } from "./command-line.ts";
import type { DemoMerchant } from "./merchants.ts";

/** The account that the links make. Nothing is ever sent to this address. */
const EMAIL = "owner@daric.example";

/** The ways into the dashboard. A link works once, and is there only until an account has what it gives. */
export type Entrance = {
  readonly url: string;
  /** of a member of the demo merchant, for the sign-in; undefined until there is one */
  readonly member: string | undefined;
  /** makes an account that owns the demo merchant */
  readonly ownerLink: string | undefined;
  /** makes that account an operator too */
  readonly operatorLink: string | undefined;
};

type ListedPerson = {
  readonly email: string;
  readonly isOperator: boolean;
  readonly memberships: readonly string[];
};

/** Makes new links, which end those of the start before. Undefined where the dashboard is off. */
export async function openDashboard(
  { merchantId }: DemoMerchant,
  env: NodeJS.ProcessEnv,
): Promise<Entrance | undefined> {
  if (env.DASHBOARD?.trim() === "off") return undefined;
  const people = await daric<ListedPerson[]>(["people", "list"], env);
  const invite = async (...place: string[]) =>
    (await daric<{ link: string }>(["people", "invite", "--email", EMAIL, ...place], env)).link;
  const member = people.find(({ memberships }) => memberships.some((one) => one.endsWith(merchantId)));
  const hasOperator = people.some(({ isOperator }) => isOperator);
  return {
    url: `${env.DASHBOARD_BASE_URL?.replace(/(?<!\/)\/+$/, "")}/dashboard`,
    member: member?.email,
    ownerLink: member ? undefined : await invite("--merchant", merchantId, "--role", "owner"),
    operatorLink: hasOperator ? undefined : await invite("--operator"),
  };
}
