import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/*
 * A security key in software: the device's part of Web Authentication (W3C, level 3), written against the standard and not against the
 * library that the service checks answers with.
 */

const ORIGIN = "http://127.0.0.1:3000";
const RP_ID = "127.0.0.1";
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The few forms of CBOR (RFC 8949) that a key needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map((part) => cbor(part as Cbor))]);
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();

/** A device with one key. `origin`, `verifiesUser` and `crossOrigin` can be wrong. */
export function createSecurityKey({ origin = ORIGIN, verifiesUser = true, crossOrigin = false } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const coseKey = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const flags = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  const authenticatorData = (bits: number, key: Buffer = Buffer.alloc(0)) =>
    Buffer.concat([sha256(RP_ID), Buffer.from([bits]), Buffer.alloc(4), key]);
  const named = {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key" as const,
  };

  return {
    id: named.id,
    /** The answer to `navigator.credentials.create`. */
    register({ challenge }: { challenge: string }) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const key = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey as Cbor)]);
      const attestation = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authenticatorData(flags | HAS_KEY, key)],
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", challenge).toString("base64url"),
        attestationObject: cbor(attestation as Cbor).toString("base64url"),
        transports: ["usb"],
      };
      return { ...named, response, clientExtensionResults: {} };
    },
    /** The answer to `navigator.credentials.get`. */
    signIn({ challenge }: { challenge: string }) {
      const data = clientData("webauthn.get", challenge);
      const authenticator = authenticatorData(flags);
      const signature = sign("sha256", Buffer.concat([authenticator, sha256(data)]), privateKey);
      const response = {
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authenticator.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      return { ...named, response, clientExtensionResults: {} };
    },
  };
}
