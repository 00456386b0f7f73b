import type { WebhookError } from "../../domain/webhook-delivery.ts";

/** Advice for each error of a test. Like the codes, it reveals nothing beyond the URL. */
const messages: Record<WebhookError, string> = {
  dns_error: "The name of the host has no address",
  blocked_address: "The address is not a public one, and the operator has not allowed it",
  connect_refused: "The host refuses the connection: is the receiver running, and is the port right?",
  connect_timeout: "The host does not answer: does a firewall drop the connection?",
  connect_error: "There is no way to the host",
  tls_error:
    "TLS failed: is the certificate valid, for this name, with its whole chain, and of an authority that the operator's machine knows?",
  timeout: "The receiver did not answer in time: answer first, and work afterwards",
  reset: "The receiver closed the connection before it answered",
  invalid_response: "The answer is not HTTP/1.1, or it is a 100 or 101 that was not asked for",
  response_too_large: "The headers of the answer are too large",
  http_status: "The receiver answered, but not with a 2xx status",
  lease_expired: "The test was cut off, and what became of it is not known: send another one",
  body_missing: "The test is not stored any more: send another one",
  event_refused: "The event in the database was not written by this service: it is never sent",
  endpoint_deleted: "The endpoint was deleted meanwhile",
  parked_too_long: "The endpoint was disabled for too long",
  expired: "The endpoint did not answer for too long",
};

/** The error of a test as a sentence that ends with its code. */
export function describeTestError(error: WebhookError): string {
  return `${messages[error]} (${error}).`;
}
