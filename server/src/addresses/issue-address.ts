import { CommitUnknownError } from "@daric/postgres/errors";
import type { AddressSource } from "./address-source.ts";
import { isAddressTaken } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";

/** Others may have addresses of before a gap too; each failure forgets all that this process has. */
const MAX_TRIES = 3;

/**
 * Runs `create` with an address that was never issued. Where it throws anything but `CommitUnknownError` it has certainly
 * written nothing, and the address is free again, so that an outage uses up no indexes; where the directory has the address already, it runs again with another one.
 *
 * @throws what `create` and {@link AddressSource.take} throw.
 */
export async function issueAddress<T>(
  source: AddressSource,
  create: (issued: IssuedAddress) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const issued = await source.take();
    try {
      return await create(issued);
    } catch (error) {
      if (isAddressTaken(error)) source.forgetReady();
      else if (!(error instanceof CommitUnknownError)) source.giveBack(issued);
      if (!isAddressTaken(error) || tries === MAX_TRIES) throw error;
    }
  }
}
