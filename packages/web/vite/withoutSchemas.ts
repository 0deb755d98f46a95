import type { Plugin } from 'vite';

const described = /contract[\\/]src[\\/]api[\\/]\w+\.ts$/;
const schemas = new Set(['params', 'query', 'body', 'reply']);

/**
 * The schemas of calls are checked on the server: the browser needs to know that a call has a body, not of what shape.
 * `endpoint({ …, body: Flow })` becomes `endpoint({ …, body: true })`, and what only the schemas refer to is left out of
 * the build with them. So is the sentence for OpenAPI.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    apply: 'build',
    enforce: 'pre',
    transform(source, id) {
      if (!described.test(id)) return undefined;
      const cuts = endpointsIn(this.parse(source, { lang: 'ts' })).flatMap(cutsOf);
      let code = source;
      for (const { start, end, by } of cuts.reverse()) code = code.slice(0, start) + by + code.slice(end);
      return { code, map: null };
    },
  };
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

type Program = ReturnType<
  ThisParameterType<Extract<Plugin['transform'], (...args: never[]) => unknown>>['parse']
>;
interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}
interface Property {
  readonly type: string;
  readonly key: { readonly name?: string };
  readonly value: { readonly start: number; readonly end: number };
}

/** The definitions of all calls of `endpoint`, also those in functions that several endpoints share. */
function endpointsIn(part: Program | Node | readonly unknown[]): readonly (readonly Property[])[] {
  const node = part as Node; // A list has no type, so it is not taken for a call.
  const [definition] = (node.arguments ?? []) as { type: string; properties: readonly Property[] }[];
  const isEndpoint =
    node.type === 'CallExpression' &&
    (node.callee as { name?: string }).name === 'endpoint' &&
    definition?.type === 'ObjectExpression';
  if (isEndpoint) return [definition.properties];
  return Object.values(part).flatMap((one: unknown) =>
    one !== null && typeof one === 'object' ? endpointsIn(one as Node) : [],
  );
}

const cutsOf = (properties: readonly Property[]): Cut[] =>
  properties.flatMap(({ type, key, value }) => {
    if (type !== 'Property') return [];
    const { start, end } = value;
    if (key.name === 'summary') return [{ start, end, by: "''" }];
    return schemas.has(key.name ?? '') ? [{ start, end, by: 'true' }] : [];
  });
