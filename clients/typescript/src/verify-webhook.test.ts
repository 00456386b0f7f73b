import { readFileSync } from "node:fs";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, it, vi } from "vitest";
import { verifyWebhook } from "./verify-webhook.ts";

type Vector = {
  name: string;
  secrets: string[];
  headers: Record<string, string>;
  body: string;
  now: number;
  toleranceSeconds: number | null;
  expected: string;
};
const { vectors } = JSON.parse(
  readFileSync(new URL("../vectors/webhooks.json", import.meta.url), "utf8"),
) as {
  vectors: Vector[];
};
const [usual] = vectors as [Vector];
const options = { now: new Date(usual.now * 1_000) };

function outcomeOf({ body, headers, secrets, now, toleranceSeconds }: Vector): Promise<string> {
  const given = {
    now: new Date(now * 1_000),
    toleranceSeconds: toleranceSeconds ?? Number.POSITIVE_INFINITY,
  };
  return verifyWebhook(body, headers, secrets, given).then(
    () => "valid",
    (error) => error.code,
  );
}

it.each(vectors)("vector: $name", async (vector) => {
  expect(await outcomeOf(vector)).toBe(vector.expected);
});

const comparable = vectors.filter(
  ({ toleranceSeconds, expected }) =>
    toleranceSeconds !== null && !["NOT_JSON", "BAD_SECRET"].includes(expected),
);

it.each(comparable)("an independent verifier agrees: $name", (vector) => {
  vi.useFakeTimers({ now: vector.now * 1_000, toFake: ["Date"] });
  const isAccepted = vector.secrets.some((secret) => {
    try {
      new StandardWebhook(secret).verify(vector.body, vector.headers);
      return true;
    } catch {
      return false;
    }
  });
  vi.useRealTimers();
  expect(isAccepted).toBe(vector.expected === "valid");
});

it("the vectors contain every reason except a parsed body", () => {
  const expected = new Set(vectors.map((vector) => vector.expected));
  const codes = ["MISSING_HEADER", "MALFORMED_HEADER", "BAD_SIGNATURE", "TIMESTAMP_TOO_OLD"];
  expect([...expected].sort()).toEqual(
    [...codes, "BAD_SECRET", "NOT_JSON", "TIMESTAMP_IN_FUTURE", "valid"].sort(),
  );
});

it("an event is typed by its name", async () => {
  const event = await verifyWebhook(usual.body, usual.headers, usual.secrets, options);
  if (event.event !== "webhook.test") throw new Error(event.event);
  expect(event.data.message).toBe("Café ☕ 付款");
  expect(event.id).toBe(usual.headers["webhook-id"]);
});

it("the body may be text, a Buffer, a view into more bytes, or an ArrayBuffer", async () => {
  const bytes = Buffer.from(usual.body);
  const more = Buffer.concat([Buffer.from("xx"), bytes, Buffer.from("yy")]);
  const view = more.subarray(2, 2 + bytes.length);
  for (const body of [usual.body, bytes, view, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) {
    await expect(verifyWebhook(body, usual.headers, usual.secrets, options)).resolves.toMatchObject({
      event: "webhook.test",
    });
  }
});

it("headers may be those of Fetch or of Node, in any case; a repeated one counts as missing", async () => {
  const upper = Object.fromEntries(
    Object.entries(usual.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const headers of [new Headers(usual.headers), upper]) {
    await expect(verifyWebhook(usual.body, headers, usual.secrets, options)).resolves.toBeDefined();
  }
  const twice = { ...usual.headers, "webhook-id": ["one", "other"] };
  await expect(verifyWebhook(usual.body, twice, usual.secrets, options)).rejects.toMatchObject({
    code: "MISSING_HEADER",
  });
});

it("one secret need not be in a list", async () => {
  const [secret = ""] = usual.secrets;
  await expect(verifyWebhook(usual.body, usual.headers, secret, options)).resolves.toBeDefined();
});

it("a parsed body is refused before its signature is checked, with advice for each framework", async () => {
  const parsed = [
    JSON.parse(usual.body),
    [],
    undefined,
    null,
    7,
    new ReadableStream(),
    new Request("http://a/"),
  ];
  for (const body of parsed) {
    const refused = verifyWebhook(body as string, {}, [], options);
    await expect(refused).rejects.toMatchObject({ name: "WebhookVerificationError", code: "BODY_PARSED" });
    await expect(refused).rejects.toThrow(/express\.raw.*\n.*Fastify.*\n.*Next\.js.*\n.*Hono/);
  }
});

it("no message repeats a secret", async () => {
  for (const vector of vectors) {
    const { body, headers, secrets } = vector;
    const error: unknown = await verifyWebhook(body, headers, secrets, { now: new Date(0) }).catch((e) => e);
    for (const secret of secrets) expect(String(error)).not.toContain(secret.slice(6));
  }
});

it("an unknown event is returned, because a newer service may send it", async () => {
  const { createHmac } = await import("node:crypto");
  const [secret = ""] = usual.secrets;
  const body = JSON.stringify({ id: "1", event: "order.dreamt_of", data: {} });
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { "x-service-signature": hex };
  const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY };
  await expect(verifyWebhook(body, headers, secret, anyAge)).resolves.toMatchObject({
    event: "order.dreamt_of",
  });
});

it("a tolerance that is no number accepts nothing", async () => {
  const invalid = { ...options, toleranceSeconds: Number.NaN };
  await expect(verifyWebhook(usual.body, usual.headers, usual.secrets, invalid)).rejects.toMatchObject({
    name: "WebhookVerificationError",
  });
});
