import type { Clock } from "@daric/runtime/clock";
import { SendFailure } from "./send-messages.ts";

/** The pause of a server after its first failure; it doubles with each further one. */
const [FIRST_MS, MAX_MS] = [30_000, 900_000];

/** The servers that are away, by name. While one is, no message dials it, and other servers go on. */
export type ServerPauses = {
  /**
   * Sends through this server, unless it is away.
   *
   * @throws SendFailure of the server while it is away, without dialling it; the failures of `send`.
   */
  through<T>(server: string, send: () => Promise<T>): Promise<T>;
};

type Away = { readonly untilMs: number; readonly failures: number; readonly reason: string };

export function createServerPauses(clock: Pick<Clock, "monotonicMs">): ServerPauses {
  const away = new Map<string, Away>();
  return {
    through: async (server, send) => {
      const known = away.get(server);
      const leftMs = (known?.untilMs ?? 0) - clock.monotonicMs();
      if (known !== undefined && leftMs > 0)
        throw new SendFailure(known.reason, { of: "server", pauseMs: leftMs });
      try {
        const result = await send();
        away.delete(server);
        return result;
      } catch (error) {
        if (error instanceof SendFailure && error.of === "server") {
          const failures = (known?.failures ?? 0) + 1;
          const pauseMs = Math.max(Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1)), error.pauseMs ?? 0);
          away.set(server, { untilMs: clock.monotonicMs() + pauseMs, failures, reason: error.message });
        }
        throw error;
      }
    },
  };
}
