import { ID_PATTERN } from "@daric/domain/ids";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { isAddress } from "@daric/tron/address";
import { z } from "zod";
import type { ExportedTransaction } from "../sweeps/exported-store.ts";

/** The format of the file that `daric-signer sign` reads. The other one is the format that it writes. */
export const EXPORT_FORMAT = "daric sweep export 1";
const SIGNED_FORMAT = "daric sweep signed 1";

/** A file that the service refuses or cannot make. The message is one line for the operator. */
export class OfflineFileError extends Error {
  override readonly name = "OfflineFileError";
}

const hex = z.string().regex(/^([0-9a-f]{2})+$/);
const time = z.int().min(0).max(8_640_000_000_000_000);
const units = z.string().regex(/^\d{1,19}$/);
const signedFile = z.object({
  format: z.literal(SIGNED_FORMAT),
  genesisId: z.string(),
  xpubFingerprint: z.string(),
  destinations: z.array(
    z.object({
      counter: z.int().min(1),
      merchantId: z.union([z.literal("operator"), z.string().regex(ID_PATTERN)]),
      name: z.string().max(500),
      address: z.string().refine(isAddress).nullable(),
      feeCeiling: z.record(z.string().regex(/^[A-Z0-9]{2,10}$/), units),
      seenMs: time,
      actsFromMs: time,
      isAdditional: z.literal(true).optional(),
      permissions: z
        .string()
        .regex(/^(own|[0-9a-f]{32})$/)
        .optional(),
    }),
  ),
  results: z.array(
    z.union([
      z.object({ requestId: z.string().regex(ID_PATTERN), txId: hex, transaction: hex }),
      z.object({ requestId: z.string().regex(ID_PATTERN), refusal: z.string().min(1).max(500) }),
    ]),
  ),
});

export type SignedFile = z.infer<typeof signedFile>;
/** The signer's answer to one request. */
export type SignedResult = SignedFile["results"][number];

/** @throws OfflineFileError for anything but a file of `daric-signer sign`, with the first field that is wrong. */
export function parseSignedFile(text: string, path: string): SignedFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OfflineFileError(`${path} is truncated or no JSON`);
  }
  const { data, error } = signedFile.safeParse(value);
  if (data !== undefined) return data;
  const place = error?.issues[0]?.path.join(".") || "format";
  throw new OfflineFileError(`${path} is no file of \`daric-signer sign\`: its ${place} is missing or wrong`);
}

type DescribedTransaction = Pick<
  ExportedTransaction,
  "purpose" | "address" | "currency" | "recipient" | "destination" | "merchantId" | "units" | "topUp"
> & { readonly gasAddress: string };

/** A description of a transaction for the operator. */
export function describeTransaction(transaction: DescribedTransaction): string {
  const {
    purpose,
    address,
    currency,
    recipient,
    destination,
    merchantId,
    units: sent,
    topUp,
    gasAddress,
  } = transaction;
  if (purpose === "top_up")
    return `${amount(topUp)} TRX of the gas wallet ${gasAddress} to address ${address}, whose sweep burns them`;
  const what = `${amount(sent)} ${currency} of address ${address}`;
  return recipient === "operator"
    ? `${what} to the operator's wallet ${destination}: fees of merchant ${merchantId}`
    : `${what} to the wallet ${destination} of merchant ${merchantId}`;
}

function amount(value: bigint): string {
  return formatAmount(amountFromUnits(value));
}
