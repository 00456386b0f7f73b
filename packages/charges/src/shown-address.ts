import type { AddressSource } from "@daric/addresses/address-source";
import { ApiError } from "@daric/domain/errors";
import type { ShownCharge } from "./charge.ts";

/** Only an operator can repair it, which takes a while. */
const RETRY_AFTER_SECONDS = 60;

type Addresses = Pick<AddressSource, "findWrong">;

/**
 * The same charges; `address` is "" if the row's address is not the one that was issued for it. All output of
 * charges goes through here.
 */
export async function withRightAddresses<Shown extends Pick<ShownCharge, "address" | "issuedAs">>(
  addresses: Addresses,
  charges: readonly Shown[],
): Promise<Shown[]> {
  const wrong = await addresses.findWrong(charges.map(({ issuedAs }) => issuedAs));
  return charges.map((charge) => (wrong.has(charge.issuedAs) ? { ...charge, address: "" } : charge));
}

/**
 * The same charge.
 *
 * @throws SERVICE_UNAVAILABLE if its row's address is not the one that was issued for it.
 */
export async function requireRightAddress<Shown extends Pick<ShownCharge, "address" | "issuedAs">>(
  addresses: Addresses,
  charge: Shown,
): Promise<Shown> {
  const wrong = await addresses.findWrong([charge.issuedAs]);
  if (wrong.size > 0) throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return charge;
}
