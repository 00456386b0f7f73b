import type { MerchantId } from "@daric/domain/ids";
import { CommitUnknownError } from "@daric/postgres/errors";
import type { IssuingSource } from "./address-source.ts";
import { isAddressTaken } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";

/** Other processes may have stale addresses too; each failure makes this one forget its ready ones. */
const MAX_TRIES = 3;

/**
 * Runs `create` with a new address. An error other than `CommitUnknownError` proves that nothing was written, so the address
 * becomes free again and an outage uses up no index. If the directory has the address already, `create` runs with another.
 *
 * @throws the errors of `create` and {@link IssuingSource.take}.
 */
export async function issueAddress<T>(
  source: Omit<IssuingSource, "macOf">,
  merchantId: MerchantId,
  create: (issued: IssuedAddress) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const issued = await source.take(merchantId);
    try {
      return await create(issued);
    } catch (error) {
      if (isAddressTaken(error)) source.forgetReady(merchantId);
      else if (!(error instanceof CommitUnknownError)) source.giveBack(issued);
      if (!isAddressTaken(error) || tries === MAX_TRIES) throw error;
    }
  }
}
