import { idOf } from "@daric/domain/ids";
import { signWebhook } from "@daric/webhooks/sending/signature";
import { formatted, writeGenerated } from "../../../lint/generated-file.ts";

/**
 * Deliveries as the service signs them, and what a receiver makes of each: for verifiers in any language. `expected` is
 * `valid`, or the code of `WebhookVerificationError`.
 */
const SECRET = `whsec_${"0123456789abcdef".repeat(4)}`;
const OTHER = `whsec_${"fedcba9876543210".repeat(4)}`;
const SENT_AT = 1_767_225_600;
const EVENT_ID = idOf("event", "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
const TEST_EVENT = {
  id: EVENT_ID,
  event: "webhook.test",
  apiVersion: "v1",
  environment: "test",
  createdAt: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  data: { endpointId: "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c", message: "Café ☕ 付款" },
};
const BODY = JSON.stringify(TEST_EVENT);

type Vector = {
  name: string;
  secrets: string[];
  headers: Record<string, string>;
  body: string;
  /** Unix time of the receiver's clock */
  now: number;
  /** null: a delivery of any age is taken */
  toleranceSeconds: number | null;
  expected: string;
};

function signed(secret: string, body = BODY): Record<string, string> {
  return signWebhook({
    secret,
    body: Buffer.from(body),
    eventId: EVENT_ID,
    timestampSeconds: SENT_AT,
  });
}

const plain = signed(SECRET);
const former = signed(OTHER);
/** Both secrets sign while one takes over from the other. */
const rotated = {
  ...plain,
  "webhook-signature": `${plain["webhook-signature"]} ${former["webhook-signature"]}`,
  "x-service-signature-previous": former["x-service-signature"] ?? "",
};
const onlyOurs = { "x-service-signature": plain["x-service-signature"] ?? "" };

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(plain).filter(([other]) => other !== name));
}

function vector(name: string, changes: Partial<Vector>): Vector {
  const usual = { secrets: [SECRET], headers: plain, body: BODY, now: SENT_AT + 2, toleranceSeconds: 300 };
  return { name, ...usual, expected: "valid", ...changes };
}

const vectors = [
  vector("a delivery as it comes", {}),
  vector("the other secret of two is right", { secrets: [OTHER, SECRET] }),
  vector("in a rotation, for a receiver with the new secret", { headers: rotated }),
  vector("in a rotation, for a receiver with the old secret", { headers: rotated, secrets: [OTHER] }),
  vector("an entry of an unknown version is passed over", {
    headers: { ...plain, "webhook-signature": `v2,AAAA v1,!? ${plain["webhook-signature"]}` },
  }),
  vector("sent as long ago as is accepted", { now: SENT_AT + 300 }),
  vector("sent as far ahead as is accepted", { now: SENT_AT - 300 }),
  vector("sent too long ago", { now: SENT_AT + 301, expected: "TIMESTAMP_TOO_OLD" }),
  vector("sent too far ahead", { now: SENT_AT - 301, expected: "TIMESTAMP_IN_FUTURE" }),
  vector("of any age, where any is taken", { now: SENT_AT + 31_536_000, toleranceSeconds: null }),
  vector("x-service-signature alone, where any age is taken", {
    headers: onlyOurs,
    now: SENT_AT + 31_536_000,
    toleranceSeconds: null,
  }),
  vector("x-service-signature-previous alone, for a receiver with the old secret", {
    headers: { ...onlyOurs, "x-service-signature-previous": former["x-service-signature"] ?? "" },
    secrets: [OTHER],
    toleranceSeconds: null,
  }),
  vector("x-service-signature alone says nothing of its age", {
    headers: onlyOurs,
    expected: "MISSING_HEADER",
  }),
  vector("no webhook-id", { headers: without("webhook-id"), expected: "MISSING_HEADER" }),
  vector("no webhook-timestamp", { headers: without("webhook-timestamp"), expected: "MISSING_HEADER" }),
  vector("no headers at all", { headers: {}, expected: "MISSING_HEADER" }),
  vector("no headers at all, where any age is taken", {
    headers: {},
    toleranceSeconds: null,
    expected: "MISSING_HEADER",
  }),
  vector("a timestamp that is no number", {
    headers: { ...plain, "webhook-timestamp": "soon" },
    expected: "MALFORMED_HEADER",
  }),
  vector("another timestamp than was signed", {
    headers: { ...plain, "webhook-timestamp": String(SENT_AT + 1) },
    expected: "BAD_SIGNATURE",
  }),
  vector("another id than was signed", {
    headers: { ...plain, "webhook-id": "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5d" },
    expected: "BAD_SIGNATURE",
  }),
  vector("another body than was signed", { body: `${BODY} `, expected: "BAD_SIGNATURE" }),
  vector("another body, where any age is taken", {
    headers: onlyOurs,
    body: `${BODY} `,
    toleranceSeconds: null,
    expected: "BAD_SIGNATURE",
  }),
  vector("another secret", { secrets: [OTHER], expected: "BAD_SIGNATURE" }),
  vector("a signature cut short", {
    headers: { ...plain, "webhook-signature": plain["webhook-signature"]?.slice(0, -5) ?? "" },
    expected: "BAD_SIGNATURE",
  }),
  vector("the right signature under another version", {
    headers: { ...plain, "webhook-signature": plain["webhook-signature"]?.replace("v1", "v2") ?? "" },
    expected: "BAD_SIGNATURE",
  }),
  vector("signed, and no JSON", {
    headers: signed(SECRET, "paid=1"),
    body: "paid=1",
    expected: "NOT_JSON",
  }),
  vector("a secret that is not whole", { secrets: [SECRET.slice(0, -1)], expected: "BAD_SECRET" }),
  vector("a secret with a blank behind it", { secrets: [`${SECRET} `], expected: "BAD_SECRET" }),
  vector("a secret with the end of a line", { secrets: [`${SECRET}\n`], expected: "BAD_SECRET" }),
  vector("no secret", { secrets: [], expected: "BAD_SECRET" }),
];

const text = formatted(JSON.stringify({ vectors }), "webhooks.json");
await writeGenerated("clients/typescript/vectors/webhooks.json", text, process.argv);
