import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Cached by password, salt and iterations, since the derivation is slow. */
const salted = new Map<string, Buffer>();

function saltedPassword(password: string, salt: string, iterations: number): Buffer {
  const key = `${iterations} ${salt} ${password}`;
  const known = salted.get(key);
  if (known !== undefined) return known;
  const made = pbkdf2Sync(password, Buffer.from(salt, "base64"), iterations, 32, "sha256");
  salted.set(key, made);
  return made;
}

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The client's side of SCRAM-SHA-256 (RFC 5802). */
export function scramExchange(password: string): { first: string; answer(challenge: string): string } {
  const nonce = randomBytes(18).toString("base64");
  const bare = `n=,r=${nonce}`;
  return {
    first: `n,,${bare}`,
    answer: (challenge) => {
      const {
        r = "",
        s = "",
        i = "",
      } = Object.fromEntries(challenge.split(",").map((part) => [part.slice(0, 1), part.slice(2)])) as Record<
        string,
        string
      >;
      const key = saltedPassword(password, s, Number(i));
      const clientKey = hmac(key, "Client Key");
      const storedKey = createHash("sha256").update(clientKey).digest();
      const final = `c=biws,r=${r}`;
      const signature = hmac(storedKey, `${bare},${challenge},${final}`);
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
      return `${final},p=${proof.toString("base64")}`;
    },
  };
}
