import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Channel, Notifications } from "../../api/account-operations.ts";
import { keyOf } from "../../api/use-call.ts";

export const NOTIFICATIONS = "GET /dashboard/v1/notifications";

/** How often the page looks while a chat or a test is on its way. */
const LOOK_MS = 3_000;
/** A test that was not sent in this time is no longer waited for. */
const TEST_MS = 120_000;

/** Whether a test of the channel is on its way. */
export function isBeingTested({ test }: Channel): boolean {
  return (
    test?.sent_at === null && test.failure === null && Date.parse(test.created_at) > Date.now() - TEST_MS
  );
}

/** Reads again and again while a chat may use its code, or a test is on its way. */
export function useWatched({ channels }: Notifications): void {
  const client = useQueryClient();
  const isWanted = channels.some(
    (channel) => channel.status === "waiting_for_code" || isBeingTested(channel),
  );
  useEffect(() => {
    if (!isWanted) return;
    const read = () => void client.invalidateQueries({ queryKey: keyOf(NOTIFICATIONS) });
    const timer = setInterval(read, LOOK_MS);
    return () => clearInterval(timer);
  }, [isWanted, client]);
}
