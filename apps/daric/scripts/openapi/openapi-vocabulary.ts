import {
  type DocumentedOperation,
  mapOperations,
  mapValues,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from "./openapi-document.ts";

/**
 * The meanings and examples of names on the wire. The key `order_ref` also covers `orderRef`. A prefix with a
 * point limits it to one place: a component, an operation, or the part of a path before an `{id}`.
 */
export type Vocabulary = {
  readonly meanings: Readonly<Record<string, string>>;
  /** undefined leaves the name out of examples */
  readonly examples: Readonly<Record<string, unknown>>;
};

/** Adds meaning and example to each property and parameter without its own. */
export function applyVocabulary(document: OpenApiDocument, vocabulary: Vocabulary): OpenApiDocument {
  const { components } = document;
  const schemas = mapValues(components.schemas, (schema, name) => describe(schema, { name, vocabulary }));
  const described = { ...document, components: { ...components, schemas } };
  return mapOperations(described, (operation, { path }) => describeOperation(operation, path, vocabulary));
}

type Place = { readonly name: string; readonly vocabulary: Vocabulary };

function describeOperation(
  operation: DocumentedOperation,
  path: string,
  vocabulary: Vocabulary,
): DocumentedOperation {
  const place = { name: operation.operationId ?? "", vocabulary };
  const describeContent = <T extends { content?: { "application/json": { schema: Schema } } }>(
    part: T,
  ): T => {
    if (part.content === undefined) return part;
    const media = part.content["application/json"];
    const schema = describe(media.schema, place);
    return { ...part, content: { "application/json": { ...media, schema } } };
  };
  return {
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((parameter) => describeParameter(parameter, path, place)),
    }),
    ...(operation.requestBody && { requestBody: describeContent(operation.requestBody) }),
    responses: mapValues(operation.responses, describeContent),
  };
}

function describeParameter(parameter: Parameter, path: string, place: Place): Parameter {
  const { meanings, examples } = place.vocabulary;
  const [before = ""] = path.split(`/{${parameter.name}}`);
  const name = parameter.in === "path" ? (before.split("/").at(-1) ?? "") : place.name;
  const description = parameter.description ?? find(meanings, parameter.name, name);
  const sample = parameter.example ?? find(examples, parameter.name, name);
  const [first] = parameter.schema.enum ?? [];
  const example = sample !== undefined && allows(parameter.schema, sample) ? sample : first;
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  };
}

/** Adds meanings to the properties of a schema, at any depth. */
function describe(schema: Schema, place: Place): Schema {
  return {
    ...schema,
    ...(schema.items && { items: describe(schema.items, place) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((choice) => describe(choice, place)) }),
    ...(schema.properties && {
      properties: mapValues(schema.properties, (property, name) =>
        describe(describeProperty(property, name, place), place),
      ),
    }),
  };
}

function describeProperty(property: Schema, name: string, place: Place): Schema {
  const { meanings, examples } = place.vocabulary;
  const description = property.description ?? find(meanings, name, place.name);
  const example = find(examples, name, place.name);
  const isExampled = property.examples !== undefined || property.const !== undefined;
  const isPlain = property.$ref === undefined && property.properties === undefined;
  return {
    ...property,
    ...(description !== undefined && { description }),
    ...(!isExampled &&
      isPlain &&
      example !== undefined &&
      allows(property, example) && { examples: [example] }),
  };
}

/** The null of a row is no example for a body without null, and the status of one row is none for another. */
function allows({ type, enum: values }: Schema, example: unknown): boolean {
  if (values !== undefined) return values.includes(example);
  return example !== null || (Array.isArray(type) && type.includes("null"));
}

function find<Meaning>(
  values: Readonly<Record<string, Meaning>>,
  name: string,
  place: string,
): Meaning | undefined {
  const word = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const key = `${place}.${word}`;
  return key in values ? values[key] : values[word];
}
