import type { DashboardOperations as Dashboard } from "./dashboard-contract.ts";

export type Member = Dashboard["GET /dashboard/v1/people"]["answer"][number];
export type Invitation = Dashboard["GET /dashboard/v1/invitations"]["answer"][number];
/** `link` is null where it was mailed. */
export type IssuedLink = Pick<
  Dashboard["POST /dashboard/v1/invitations"]["answer"],
  "email" | "link" | "expires_at"
>;
export type ApiKey = Dashboard["GET /dashboard/v1/keys"]["answer"][number];
export type ShopCode = Dashboard["POST /dashboard/v1/shop-codes"]["answer"];
export type Settings = Dashboard["GET /dashboard/v1/settings"]["answer"];
export type Notifications = Dashboard["GET /dashboard/v1/notifications"]["answer"];
export type MessageKind = Notifications["kinds"][number]["kind"];
/** A way to a member: the mail, or a chat. */
export type Channel = Notifications["channels"][number];
export type AskedChat = Dashboard["POST /dashboard/v1/notifications/channels"]["answer"];
export type WalletRequest = Dashboard["GET /dashboard/v1/wallet-requests"]["answer"][number];
