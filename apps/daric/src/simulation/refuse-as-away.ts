import { NodeError } from "@daric/chain/blocks/node-error";
import { chainSettings } from "@daric/chain/nodes/settings";
import { ApiError } from "@daric/domain/errors";

/** @throws SERVICE_UNAVAILABLE for a fault of the devnet's node, with what was done `before`; any other error as it is. */
export function refuseAsAway(error: unknown, before = ""): never {
  if (!(error instanceof NodeError)) throw error;
  const advice = `${chainSettings.nodeUrls.env} must name a devchain first (npm run devchain)`;
  throw new ApiError("SERVICE_UNAVAILABLE", {
    message: `The devnet takes no test payments: ${error.message}${before}. ${advice}.`,
  });
}
