import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, pageContext } from "./call.ts";
import { refreshMs } from "./live.ts";
import type { Answer, Input, Operation } from "./operations.ts";

/** The key of a cached answer: the merchant, the operation and its input. */
export function keyOf<Name extends Operation>(name: Name, input?: Input<Name>): unknown[] {
  return [pageContext.merchantId, name, ...(input === undefined ? [] : [input])];
}

type Refresh = { readonly everyMs?: number; readonly isWanted?: boolean };

/** Reads an answer, keeps it, and reads it again when the page is looked at again. */
export function useRead<Name extends Operation>(name: Name, input: Input<Name>, refresh: Refresh = {}) {
  return useQuery({
    queryKey: keyOf(name, input),
    queryFn: () => call(name, input),
    enabled: refresh.isWanted ?? true,
    refetchInterval: () => (refresh.everyMs === undefined ? false : refreshMs(refresh.everyMs)),
  });
}

/** Reads an answer now, and shows it wherever it is shown. */
export function useReread<Name extends Operation>(name: Name, input: Input<Name>) {
  const client = useQueryClient();
  return () =>
    client.fetchQuery({ queryKey: keyOf(name, input), queryFn: () => call(name, input), staleTime: 0 });
}

/**
 * Changes something. Afterwards every shown answer of the listed operations is read again; without a list,
 * every answer.
 */
export function useChange<Name extends Operation>(name: Name, stale?: readonly Operation[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<Name>): Promise<Answer<Name>> => call(name, input),
    onSuccess: () =>
      stale === undefined
        ? client.invalidateQueries()
        : Promise.all(
            stale.map((key) => client.invalidateQueries({ queryKey: [pageContext.merchantId, key] })),
          ),
  });
}
