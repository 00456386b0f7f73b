/** The package's public exports. */
export type * from "./contract.ts";
export type { OnceMade, OrderOnce } from "./create-order-once.ts";
export { Daric } from "./daric.ts";
export {
  type ClientErrorCode,
  DaricError,
  type DaricErrorCode,
  type ErrorCode,
  type FieldFault,
} from "./daric-error.ts";
export type { EventsPage, FollowOptions } from "./events.ts";
export type { ExportKind } from "./exports.ts";
export { type ExpectedOrder, isFulfilledBy, reasonNotToDeliver } from "./is-fulfilled-by.ts";
export type {
  AnswerOf,
  BodyOf,
  CallOptions,
  DownloadedFile,
  ListPage,
  Operation,
  QueryOf,
  SuccessEnvelope,
} from "./operation.ts";
export type { DaricOptions } from "./settings.ts";
export { type RawBody, type VerifyOptions, verifyWebhook } from "./verify-webhook.ts";
export type { EventData, ListedEvent, WebhookEvent } from "./webhook-event.ts";
export type { WebhookHeaders } from "./webhook-headers.ts";
export { type WebhookVerificationCode, WebhookVerificationError } from "./webhook-verification-error.ts";
