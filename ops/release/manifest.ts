import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const SUMS = "SHA256SUMS";
/** Binds a signature to this use: a signature of the same key for another use does not pass. */
const NAMESPACE = "daric-release";
/** The name of the signer in `allowed_signers`. */
const SIGNER = "daric";

/** Writes the checksum of every other file of `folder`, in the format of sha256sum. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(SUMS)).sort();
  const lines = names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`);
  await writeFile(join(folder, SUMS), (await Promise.all(lines)).join(""));
}

/**
 * Signs the checksums with an SSH key, as `SHA256SUMS.sig`, and checks the signature as a user does.
 *
 * @throws Error if `allowedSigners`, which users trust, does not name the key.
 */
export async function sign(folder: string, key: string, allowedSigners: string): Promise<void> {
  const sums = join(folder, SUMS);
  await rm(`${sums}.sig`, { force: true });
  await run("ssh-keygen", ["-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, sums]);
  const verify = ["-Y", "verify", "-f", allowedSigners, "-I", SIGNER, "-n", NAMESPACE, "-s", `${sums}.sig`];
  const verifying = run("ssh-keygen", verify);
  verifying.child.stdin?.end(await readFile(sums));
  await verifying.catch(async () => {
    await rm(`${sums}.sig`);
    const { stdout } = await run("ssh-keygen", ["-y", "-f", key]);
    throw new Error(`${allowedSigners} does not name this key. Its line is: ${SIGNER} ${stdout.trim()}`);
  });
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
