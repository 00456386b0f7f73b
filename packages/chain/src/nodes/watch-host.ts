import { isNodeAway, NodeError } from "../blocks/node-error.ts";
import type { HttpBytes, HttpJson } from "./http-json.ts";

/** `answered`: the host gave any answer. `away`: it gave none. */
export type HostWatch = {
  answered(host: string): void;
  away(error: NodeError): void;
};

/** The same host with its answers watched. Its error messages count as answers. */
export function watchHost(http: HttpJson & HttpBytes, watch: HostWatch): HttpJson & HttpBytes {
  async function listen<T>(pending: Promise<T>): Promise<T> {
    try {
      const answer = await pending;
      watch.answered(http.label);
      return answer;
    } catch (error) {
      if (error instanceof NodeError && isNodeAway(error)) watch.away(error);
      else watch.answered(http.label);
      throw error;
    }
  }
  return {
    label: http.label,
    get: (path) => listen(http.get(path)),
    post: (path, body) => listen(http.post(path, body)),
    postForBytes: (path, body) => listen(http.postForBytes(path, body)),
    close: http.close,
  };
}
