import { bookWords } from "../words/book-words.ts";
import { shopWords } from "../words/shop-words.ts";
import { language, words } from "../words/words.ts";
import { basisPointsText, durationText } from "./setting.ts";
import { timeText } from "./time.ts";

type ActionText = keyof typeof words.account.audit.actions;

/** The log's name of an act: pages, operations of the API, and commands each have a name of their own. */
const TEXT_OF_ACTION: Readonly<Record<string, ActionText>> = {
  createDepositAddress: "paymentCreated",
  acceptDepositAddress: "paymentAccepted",
  "accept payment": "paymentAccepted",
  extendDepositAddress: "paymentExtended",
  "extend payment": "paymentExtended",
  archiveDepositAddress: "paymentClosed",
  "archive payment": "paymentClosed",
  "dismiss payment": "paymentDismissed",
  createPaymentLink: "linkCreated",
  updatePaymentLink: "linkChanged",
  "write note": "note",
  simulatePayment: "simulated",
  createWebhookEndpoint: "endpointCreated",
  updateWebhookEndpoint: "endpointChanged",
  deleteWebhookEndpoint: "endpointDeleted",
  rotateWebhookSecret: "secretReplaced",
  sendTestEvent: "testSent",
  resendWebhookDelivery: "resent",
  resendWebhookDeliveries: "resent",
  recoverWebhookEndpoint: "resent",
  "create key": "keyCreated",
  "key create": "keyCreated",
  "rotate key": "keyReplaced",
  "key rotate": "keyReplaced",
  "revoke key": "keyEnded",
  "key revoke": "keyEnded",
  "change settings": "settings",
  "merchant update": "settings",
  "change logo": "logo",
  "change cap": "cap",
  "create merchant": "merchantCreated",
  "merchant create": "merchantCreated",
  "suspend merchant": "suspended",
  "resume merchant": "resumed",
  "request wallet": "walletAsked",
  "withdraw wallet request": "walletWithdrawn",
  "settlement-account add": "walletAdded",
  "settlement-account disable": "walletDisabled",
  invite: "invited",
  "withdraw invitation": "invitationWithdrawn",
  "accept invitation": "invitationAccepted",
  "change role": "roleChanged",
  "remove member": "memberRemoved",
  export: "downloaded",
  "choose notifications": "notificationsChosen",
  "add chat": "chatAdded",
  "confirm chat": "chatConfirmed",
  "remove chat": "chatRemoved",
  adopt: "adopted",
  "deposit accept": "depositAccepted",
  "deposit reject": "depositRejected",
};

/** The act in the language of the pages; the log's own name if it is not known here. */
export function actionText(action: string): string {
  if (action === "make shop code") return shopWords.acts.made;
  if (action === "connect shop") return shopWords.acts.connected;
  const name = Object.hasOwn(TEXT_OF_ACTION, action) ? TEXT_OF_ACTION[action] : undefined;
  return name === undefined ? action : words.account.audit.actions[name];
}

type Values = Readonly<Record<string, unknown>> | null;
/** One value that an act changed, as a person reads it. A part is undefined where the log has none. */
export type ValueChange = {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** The values that an act changed. An act without new values shows the ones that it ended. */
export function changesOf({
  before,
  after,
}: {
  readonly before: Values;
  readonly after: Values;
}): ValueChange[] {
  const names = Object.keys(after ?? {}).length > 0 ? Object.keys(after ?? {}) : Object.keys(before ?? {});
  return names
    .filter((name) => name !== "reason" && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => ({
      field: fieldTexts()[name] ?? name,
      before: valueText(name, before?.[name]),
      after: valueText(name, after?.[name]),
    }))
    .filter((change) => change.before !== undefined || change.after !== undefined);
}

function fieldTexts(): Readonly<Record<string, string>> {
  const { common, payments, paymentLinks, developers, account, money, notifications } = words;
  const { settings, branding, people } = account;
  return {
    name: common.name,
    email: common.email,
    role: people.role,
    address: common.address,
    title: paymentLinks.name,
    maxPayments: paymentLinks.stock,
    label: payments.label,
    text: payments.label,
    status: common.status,
    amount: common.amount,
    currency: common.currency,
    orderRef: common.reference,
    expiresAt: payments.expires,
    seconds: payments.moreTime,
    scopes: developers.keys.scopes,
    url: developers.webhooks.url,
    description: developers.webhooks.description,
    eventTypes: developers.webhooks.events,
    isActive: developers.webhooks.active,
    feeMode: settings.fee,
    toleranceBasisPoints: settings.tolerance,
    orderLifetimeSeconds: settings.orderLifetime,
    openLifetimeSeconds: settings.openLifetime,
    lateWindowSeconds: settings.lateWindow,
    checkoutLanguages: settings.languages,
    embedOrigins: settings.embedOrigins,
    embedOrigin: settings.embedOrigins,
    activeAddressCap: settings.cap,
    accentColor: branding.colour,
    supportEmail: branding.email,
    supportUrl: branding.url,
    logoId: branding.logo,
    ...(bookWords !== undefined && {
      legalName: bookWords.legalName,
      legalAddress: bookWords.legalAddress,
      taxId: bookWords.taxId,
      bookCurrency: bookWords.currency,
      accountCodes: bookWords.codes,
    }),
    wallet: money.walletAddress,
    month: money.month,
    choices: notifications.what,
    everyPaid: notifications.everyPaid,
    quiet: notifications.quiet,
    timeZone: notifications.timeZone,
  };
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function valueText(name: string, value: unknown): string | undefined {
  const { common, account } = words;
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "boolean") return value ? account.people.on : account.people.off;
  if (Array.isArray(value)) return value.join(", ");
  if (name === "accountCodes") {
    const lines = Object.entries(value).map((entry) => entry.join("="));
    return lines.join(", ") || undefined;
  }
  if (typeof value === "object") return JSON.stringify(value);
  if (/seconds$/i.test(name)) return durationText(Number(value));
  if (name.endsWith("BasisPoints")) return `${basisPointsText(Number(value))} %`;
  const text = String(value);
  if (name === "role") return (common.roles as Readonly<Record<string, string>>)[text] ?? text;
  return ISO_TIME.test(text) ? timeText(text, language) : text;
}
