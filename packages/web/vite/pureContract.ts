import type { Plugin } from 'vite';

const contract = /packages[\\/]contract[\\/]src[\\/].*\.ts$/;

/**
 * The contract only declares values, but the build can't know that a call such as `z.object({ … })` has no side effects, so
 * it keeps all of them. This marks each as pure: a schema or an endpoint that no page uses is left out of the build.
 */
export function pureContract(): Plugin {
  return {
    name: 'pure-contract',
    apply: 'build',
    enforce: 'pre',
    transform(source, id) {
      if (!contract.test(id)) return undefined;
      const calls = this.parse(source, { lang: 'ts' }).body.flatMap((statement) => {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declared?.type !== 'VariableDeclaration') return [];
        return declared.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []));
      });
      let code = source;
      for (const { start, end } of calls.reverse())
        code = `${code.slice(0, start)}/* @__PURE__ */ (() => ${code.slice(start, end)})()${code.slice(end)}`;
      return { code, map: null };
    },
  };
}
