/** A raw HTTP response of a node. */
export type RawAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

const json = (body: unknown, status = 200): RawAnswer => ({ status, body: JSON.stringify(body) });
const page = (status: number, title: string): RawAnswer => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** Faulty responses of java-tron, gateways and proxies. None contains information about the chain. */
export const nodeFaults: Readonly<Record<string, RawAnswer>> = {
  "a refusal with status 200": json({ Error: "class java.lang.NullPointerException : null" }),
  "a refusal of the parser": json({
    Error:
      "class org.tron.core.services.http.JsonFormat$ParseException : 1:8: Couldn't parse integer: For input string",
  }),
  "the node's limiter": json({
    Error: "class java.lang.IllegalAccessException : lack of computing resources",
  }),
  "a lite fullnode's text": { body: "this API is closed because this node is a lite fullnode" },
  "404, closed by its configuration": json({ Error: "this API is unavailable due to config" }, 404),
  "404 of a page": page(404, "Not Found"),
  "405 of a page": page(405, "HTTP ERROR 405 HTTP method POST is not supported by this URL"),
  "413, too large": page(413, "Request Entity Too Large"),
  "429 without a time": page(429, "Too Many Requests"),
  "429 with a time": { ...page(429, "Too Many Requests"), headers: { "retry-after": "2" } },
  "429 with a date": {
    ...page(429, "Too Many Requests"),
    headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" },
  },
  "429 with no time at all": { ...page(429, "Too Many Requests"), headers: { "retry-after": "0" } },
  "403 of a page": page(403, "Forbidden"),
  "403 with a time": { ...page(403, "Forbidden"), headers: { "retry-after": "2" } },
  "403 of a suspended key": json(
    { Success: false, Error: "The key exceeds the frequency limit, suspended for 30s", StatusCode: 403 },
    403,
  ),
  "a suspended key with status 200": json({
    Success: false,
    Error: "The key exceeds the frequency limit, suspended for 30s",
    StatusCode: 403,
  }),
  "a suspension without a reason": json({ Success: false, StatusCode: 403 }),
  "a gateway's refusal": json({ message: "API rate limit exceeded" }),
  "a gateway's refusal of JSON-RPC": json({ jsonrpc: "2.0", id: null, error: { code: -32005 } }),
  "401 of a wrong key": json({ Error: "ApiKey not exists" }, 401),
  "500 of a page": page(500, "Internal Server Error"),
  "502 of a page": page(502, "Bad Gateway"),
  "503 without a time": page(503, "Service Unavailable"),
  "503 with a time": { ...page(503, "Service Unavailable"), headers: { "retry-after": "2" } },
  "a page with status 200": page(200, "Just a moment..."),
  "a redirect to a login": { status: 302, headers: { location: "http://127.0.0.1:1/login" }, body: "" },
  nothing: { body: "" },
  null: { body: "null" },
  "an empty list": json([]),
  "an empty object": json({}),
  "half of an object": { body: '{"blockID":"00000000000' },
  "a code of SERVER_BUSY": json({ code: "SERVER_BUSY", message: "6e6f" }),
  "a result of OTHER_ERROR": json({ result: { code: "OTHER_ERROR", message: "6e6f" } }),
};
