import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { idOf } from "@daric/domain/ids";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, it } from "vitest";
import { signWebhook } from "./signature.ts";

const secret = `whsec_${"0123456789abcdef".repeat(4)}`;
const eventId = idOf("event", "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
const body = Buffer.from(`{"id":"${eventId}","event":"deposit.confirmed","data":{"label":"Café ☕"}}`);

/**
 * Values of OpenSSL 3.0: `openssl dgst -sha256 -hmac "$SECRET" body` and, with the key that
 * `printf %s "${SECRET#whsec_}" | base64 -d` gives, `openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary`
 * of "$ID.1767225600." and the body.
 */
it("a body's signature equals the published vector", () => {
  expect(signWebhook({ secret, body, eventId, timestampSeconds: 1_767_225_600 })).toEqual({
    "x-service-signature": "3f65d68ad15beedde7677098cd7ada0fdaa1ba98188b51b03e4b60137bddb9d6",
    "webhook-id": eventId,
    "webhook-timestamp": "1767225600",
    "webhook-signature": "v1,KfN7aLEI31hgWdUeuDhcKMPOCPImIrFKa33D7pmJrvQ=",
  });
});

it("during the overlap of a rotation both secrets sign, so that a receiver with either accepts", () => {
  const previousSecret = `whsec_${randomBytes(32).toString("hex")}`;
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const sign = (own: string) => signWebhook({ secret: own, body, eventId, timestampSeconds });
  const [alone, before] = [sign(secret), sign(previousSecret)];
  const both = signWebhook({ secret, previousSecret, body, eventId, timestampSeconds });
  expect(both).toEqual({
    ...alone,
    "x-service-signature-previous": before["x-service-signature"],
    "webhook-signature": `${alone["webhook-signature"]} ${before["webhook-signature"]}`,
  });
  for (const Verifier of [StandardWebhook, SvixWebhook]) {
    for (const own of [secret, previousSecret])
      expect(new Verifier(own).verify(body.toString(), both)).toEqual(JSON.parse(body.toString()));
    const other = new Verifier(`whsec_${randomBytes(32).toString("hex")}`);
    expect(() => other.verify(body.toString(), both)).toThrow();
  }
});

it("x-service-signature depends on the body and the secret alone, not on the time of the attempt", () => {
  const early = signWebhook({ secret, body, eventId, timestampSeconds: 1 });
  const late = signWebhook({ secret, body, eventId, timestampSeconds: 2 });
  expect(early["x-service-signature"]).toBe(late["x-service-signature"]);
  expect(early["webhook-signature"]).not.toBe(late["webhook-signature"]);
});

it("stock verifiers accept any secret of ours, and no other body, secret, id or time", () => {
  const now = Math.floor(Date.now() / 1_000);
  for (let round = 0; round < 200; round++) {
    const own = `whsec_${randomBytes(32).toString("hex")}`;
    const headers = signWebhook({ secret: own, body, eventId, timestampSeconds: now });
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      const verifier = new Verifier(own);
      expect(verifier.verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()));
      expect(() => verifier.verify(`${body} `, headers)).toThrow();
      expect(() => verifier.verify(body.toString(), { ...headers, "webhook-id": "other" })).toThrow();
      expect(() => new Verifier(secret).verify(body.toString(), headers)).toThrow();
    }
  }
  const stale = signWebhook({ secret, body, eventId, timestampSeconds: now - 301 });
  expect(() => new StandardWebhook(secret).verify(body.toString(), stale)).toThrow("too old");
});

/** Verifies one JSON case a line by the stock package; prints a line for each. */
const PYTHON = `
import json, sys
from standardwebhooks import Webhook
for line in sys.stdin:
    case = json.loads(line)
    try:
        Webhook(case["secret"]).verify(case["body"], case["headers"])
        print("accepted")
    except Exception as error:
        print("refused")
`;
const python = (script: string, input = "") =>
  spawnSync("python3", ["-c", script], { input, encoding: "utf8", timeout: 30_000 });
const hasPythonPackage = python("import standardwebhooks").status === 0;

it.skipIf(!hasPythonPackage)("standardwebhooks for Python accepts what is signed, and nothing else", () => {
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const previousSecret = `whsec_${randomBytes(32).toString("hex")}`;
  const headers = signWebhook({ secret, previousSecret, body, eventId, timestampSeconds });
  const stale = signWebhook({ secret, body, eventId, timestampSeconds: timestampSeconds - 301 });
  const text = body.toString();
  const cases = [
    { secret, headers, body: text },
    { secret: previousSecret, headers, body: text },
    { secret: `whsec_${randomBytes(32).toString("hex")}`, headers, body: text },
    { secret, headers, body: `${text} ` },
    { secret, headers: { ...headers, "webhook-id": "other" }, body: text },
    { secret, headers: stale, body: text },
  ];
  const { stdout } = python(PYTHON, cases.map((example) => `${JSON.stringify(example)}\n`).join(""));
  expect(stdout.trim().split("\n")).toEqual([
    "accepted",
    "accepted",
    "refused",
    "refused",
    "refused",
    "refused",
  ]);
});
