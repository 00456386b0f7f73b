/** The shape of an operation without a path, a query and a body. */
export type Shape<Parts extends { path?: unknown; query?: unknown; body?: unknown; answer: unknown }> = {
  path: Parts extends { path: infer Path } ? Path : undefined;
  query: Parts extends { query: infer Query } ? Query : undefined;
  body: Parts extends { body: infer Body } ? Body : undefined;
  answer: Parts["answer"];
};
