import {
  type DocumentedOperation,
  type Media,
  mapOperations,
  type OpenApiDocument,
} from "./openapi-document.ts";

/** The request of a sample. Base URL and key come from the environment. */
type SampleRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly hasKey: boolean;
};
type Headers = Record<"X-Api-Key" | "Content-Type", string>;

/** Adds samples of each operation, in five languages, all of the same example. */
export function addCodeSamples(document: OpenApiDocument): OpenApiDocument {
  return mapOperations(document, (operation, index) => ({
    ...operation,
    "x-codeSamples": samplesOf(requestOf(operation, index)),
  }));
}

/** The path with the examples of its parameters and of required query parameters; the first body. */
function requestOf(
  operation: DocumentedOperation,
  { path, method }: { path: string; method: string },
): SampleRequest {
  const parameters = operation.parameters ?? [];
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
  );
  const media = operation.requestBody?.content["application/json"];
  return {
    method: method.toUpperCase(),
    path: query.length === 0 ? filled : `${filled}?${query.join("&")}`,
    body: media && firstExample(media),
    hasKey: operation.security !== undefined && operation.security.length > 0,
  };
}

/** The first example of a body. */
export function firstExample({ example, examples }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}

function samplesOf(request: SampleRequest) {
  return [
    { lang: "Shell", label: "curl", source: curl(request) },
    { lang: "JavaScript", label: "Node.js", source: node(request) },
    { lang: "Python", label: "Python", source: python(request) },
    { lang: "PHP", label: "PHP", source: php(request) },
    { lang: "Go", label: "Go", source: go(request) },
  ];
}

function headersOf({ hasKey, body }: SampleRequest, key: string): Partial<Headers> {
  return {
    ...(hasKey && { "X-Api-Key": key }),
    ...(body !== undefined && { "Content-Type": '"application/json"' }),
  };
}

function curl(request: SampleRequest): string {
  const { method, path, body, hasKey } = request;
  const parts = [
    `curl -sS ${method === "GET" ? "" : `-X ${method} `}"$DARIC_URL${path}"`,
    ...(hasKey ? ['-H "X-Api-Key: $DARIC_API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(" \\\n  ");
}

function node(request: SampleRequest): string {
  const { method, path, body } = request;
  const headers = Object.entries(headersOf(request, "process.env.DARIC_API_KEY"));
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0
      ? []
      : [`  headers: { ${headers.map(([name, value]) => `"${name}": ${value}`).join(", ")} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(literal(body, javascript), 1)}),`]),
  ];
  const second = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `const answer = await fetch(\`\${process.env.DARIC_URL}${path}\`${second});\nconsole.log(await answer.text());`;
}

function python(request: SampleRequest): string {
  const { method, path, body } = request;
  const headers = Object.entries(headersOf(request, 'os.environ["DARIC_API_KEY"]'));
  const lines = [
    `    os.environ["DARIC_URL"] + "${path}",`,
    `    method="${method}",`,
    ...(headers.length === 0
      ? []
      : [`    headers={${headers.map(([name, value]) => `"${name}": ${value}`).join(", ")}},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(literal(body, pythonic), 2)}).encode(),`]),
  ];
  return [
    `import ${body === undefined ? "" : "json, "}os, urllib.error, urllib.request`,
    "",
    `request = urllib.request.Request(\n${lines.join("\n")}\n)`,
    "try:",
    "    with urllib.request.urlopen(request) as answer:",
    "        print(answer.read().decode())",
    "except urllib.error.HTTPError as refusal:",
    "    print(refusal.read().decode())",
  ].join("\n");
}

function php(request: SampleRequest): string {
  const { method, path, body, hasKey } = request;
  const headers = [
    ...(hasKey ? ['"X-Api-Key: " . getenv("DARIC_API_KEY")'] : []),
    ...(body === undefined ? [] : ['"Content-Type: application/json"']),
  ];
  const options = [
    `    "method" => "${method}",`,
    ...(headers.length === 0 ? [] : [`    "header" => [${headers.join(", ")}],`]),
    ...(body === undefined ? [] : [`    "content" => json_encode(${indented(literal(body, phpLike), 2)}),`]),
    '    "ignore_errors" => true,',
  ];
  return [
    "<?php",
    `$context = stream_context_create(["http" => [\n${options.join("\n")}\n]]);`,
    `echo file_get_contents(getenv("DARIC_URL") . "${path}", false, $context), "\\n";`,
  ].join("\n");
}

function go(request: SampleRequest): string {
  const { method, path, body, hasKey } = request;
  const imports = ["fmt", "io", "net/http", "os", ...(body === undefined ? [] : ["strings"])];
  const payload =
    body === undefined ? "nil" : `strings.NewReader(\`${indented(JSON.stringify(body, null, "\t"), 0)}\`)`;
  const check = "\tif err != nil {\n\t\tpanic(err)\n\t}";
  return [
    `package main\n\nimport (\n${imports.map((name) => `\t"${name}"`).join("\n")}\n)\n\nfunc main() {`,
    `\trequest, err := http.NewRequest("${method}", os.Getenv("DARIC_URL")+"${path}", ${payload})`,
    check,
    ...(hasKey ? ['\trequest.Header.Set("X-Api-Key", os.Getenv("DARIC_API_KEY"))'] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    "\tanswer, err := http.DefaultClient.Do(request)",
    check,
    "\tdefer answer.Body.Close()",
    "\ttext, err := io.ReadAll(answer.Body)",
    check,
    "\tfmt.Println(string(text))\n}",
  ].join("\n");
}

/** The syntax of an object with these lines, of one without any, a list and null in a language. */
type Language = {
  readonly open: string;
  readonly close: string;
  readonly empty: string;
  readonly arrow: string;
  readonly literals: string;
};
const javascript: Language = { open: "{", close: "}", empty: "{}", arrow: ": ", literals: "true false null" };
const pythonic: Language = { open: "{", close: "}", empty: "{}", arrow: ": ", literals: "True False None" };
// `[]` would be encoded as a list.
const phpLike: Language = {
  open: "[",
  close: "]",
  empty: "new stdClass()",
  arrow: " => ",
  literals: "true false null",
};

function literal(value: unknown, language: Language): string {
  const { open, close, empty, arrow, literals } = language;
  const [yes = "", no = "", nothing = ""] = literals.split(" ");
  if (value === null) return nothing;
  if (typeof value === "boolean") return value ? yes : no;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, language)).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, item]) => `  ${JSON.stringify(key)}${arrow}${indented(literal(item, language), 1)},`,
  );
  return lines.length === 0 ? empty : `${open}\n${lines.join("\n")}\n${close}`;
}

/** Indents all lines but the first, by two blanks a level. */
function indented(text: string, levels: number): string {
  return text.replaceAll("\n", `\n${"  ".repeat(levels)}`);
}
