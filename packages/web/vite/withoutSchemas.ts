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
      const cuts = this.parse(source, { lang: 'ts' }).body.flatMap(cutsOf);
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

type Statement = ReturnType<
  ThisParameterType<Extract<Plugin['transform'], (...args: never[]) => unknown>>['parse']
>['body'][number];

function cutsOf(statement: Statement): Cut[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  if (statement.declaration?.type !== 'VariableDeclaration') return [];
  return statement.declaration.declarations.flatMap(({ init }) => {
    if (init?.type !== 'CallExpression') return [];
    if (init.callee.type !== 'Identifier' || init.callee.name !== 'endpoint') return [];
    const [definition] = init.arguments;
    if (definition?.type !== 'ObjectExpression') return [];
    return definition.properties.flatMap((property) => {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') return [];
      const { start, end } = property.value;
      if (property.key.name === 'summary') return [{ start, end, by: "''" }];
      return schemas.has(property.key.name) ? [{ start, end, by: 'true' }] : [];
    });
  });
}
