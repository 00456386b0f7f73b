/** A state machine as data: the next state by state and event. A state without events is final. */
type Graph<State extends PropertyKey> = {
  readonly [from in State]: Readonly<Record<string, State>>;
};

type StateIn<G> = keyof G & string;
type EventIn<G> = { [S in keyof G]: keyof G[S] }[keyof G] & string;
type FromIn<G, E> = { [S in keyof G]: E extends keyof G[S] ? S : never }[keyof G] & string;
type ToIn<G, E> = { [S in keyof G]: E extends keyof G[S] ? G[S][E] : never }[keyof G] & string;

export type Edge<From extends string, To extends string> = {
  readonly from: readonly From[];
  readonly to: To;
};

/** A state machine. States change only by an event, along its edge. */
export type Machine<G> = {
  readonly states: readonly StateIn<G>[];
  readonly events: readonly EventIn<G>[];
  readonly initial: StateIn<G>;
  edge<E extends EventIn<G>>(event: E): Edge<FromIn<G, E>, ToIn<G, E>>;
  next(state: StateIn<G>, event: EventIn<G>): StateIn<G> | undefined;
};

/**
 * Builds a machine from a graph. Each event leads to one state, so one statement can move rows of several states.
 *
 * @throws Error if an event leads to two states, or to one that the graph lacks.
 */
export function machine<const G extends Graph<keyof G>>(graph: G): Machine<G> {
  const rows: [string, Readonly<Record<string, string>>][] = Object.entries(graph);
  const states = rows.map(([state]) => state);
  const edges = new Map<string, { from: string[]; to: string }>();
  for (const [from, targets] of rows) {
    for (const [event, to] of Object.entries(targets)) {
      const edge = edges.get(event) ?? { from: [], to };
      if (edge.to !== to) throw new Error(`${event} leads to ${edge.to} and to ${to}`);
      if (!states.includes(to)) throw new Error(`${event} leads to ${to}, which is no state`);
      edge.from.push(from);
      edges.set(event, edge);
    }
  }
  const edgeOf = (event: string) => {
    const edge = edges.get(event);
    if (edge === undefined) throw new Error(`no state takes the event ${event}`);
    return edge;
  };
  const untyped = {
    states,
    events: [...edges.keys()],
    initial: states[0],
    edge: edgeOf,
    next: (state: string, event: string) =>
      edgeOf(event).from.includes(state) ? edgeOf(event).to : undefined,
  };
  // Object.entries loses the literal types of the graph.
  return untyped as unknown as Machine<G>;
}
