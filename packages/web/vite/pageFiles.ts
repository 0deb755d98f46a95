import { relative, sep } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/**
 * What an address needs before it can show anything: the source of its page, and of what that loads at once. The tenant
 * in front of a path is left out here.
 */
const pages: readonly (readonly [path: string, ...sources: string[]])[] = [
  ['/dashboards', 'dashboards/HomePage.tsx'],
  ['/flows', 'flows/list/FlowListPage.tsx'],
  ['/flows/edit/[^/]+/[^/]+/topology', 'flows/page/FlowPage.tsx', 'topology/index.ts'],
  [
    '/flows/edit/[^/]+/[^/]+/edit',
    'flows/page/FlowPage.tsx',
    'flows/edit/FlowEditTab.tsx',
    '../ui/code/monaco.ts',
  ],
  ['/flows/edit/[^/]+/[^/]+(/\\w+)?', 'flows/page/FlowPage.tsx'],
  ['/executions', 'executions/list/ExecutionListPage.tsx'],
  ['/executions/compare', 'compare/ComparePage.tsx'],
  [
    '/executions/[^/]+/[^/]+/[^/]+/logs',
    'executions/page/ExecutionPage.tsx',
    'executions/page/ExecutionLogs.tsx',
    'logs/index.ts',
  ],
  [
    '/executions/[^/]+/[^/]+/[^/]+/topology',
    'executions/page/ExecutionPage.tsx',
    'executions/page/ExecutionGraph.tsx',
    'topology/index.ts',
  ],
  [
    '/executions/[^/]+/[^/]+/[^/]+/gantt',
    'executions/page/ExecutionPage.tsx',
    'executions/page/ExecutionTimeline.tsx',
    'gantt/index.ts',
  ],
  [
    '/executions/[^/]+/[^/]+/[^/]+(/overview)?',
    'executions/page/ExecutionPage.tsx',
    'executions/page/ExecutionOverview.tsx',
  ],
  [
    '/executions/[^/]+/[^/]+/[^/]+/outputs',
    'executions/page/ExecutionPage.tsx',
    'executions/outputs/ExecutionOutputs.tsx',
  ],
  ['/executions/[^/]+/[^/]+/[^/]+/\\w+', 'executions/page/ExecutionPage.tsx'],
  ['/logs', 'logs/LogSearch.tsx'],
  ['/namespaces', 'namespaces/NamespaceListPage.tsx'],
];

/** What the page of an address requests first, always with the same query. */
const requests: readonly (readonly [path: string, request: string])[] = [
  ['/executions/[^/]+/[^/]+/(?<id>\\w+)(/\\w+)?', '/executions/{id}?packed=true'],
];

/** The letters of most languages, in the two types that every page is set in. */
const everywhere = /(inter|jetbrains-mono)-latin-wght-normal-[\w-]+\.woff2$/;

/**
 * Writes `pages.json`: which files and which first request belong to which address, and which texts to which language. With
 * it the server names them in the page itself, and the browser asks for them at once instead of after running what comes first.
 */
export function pageFiles(): Plugin {
  let root = '';
  return {
    name: 'page-files',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const fileOf = (source: string): string => {
        const found = chunks.find(
          ({ facadeModuleId }) =>
            facadeModuleId && relative(root, facadeModuleId).split(sep).join('/') === source,
        );
        if (!found) throw new Error(`The build has no chunk for ${source}.`);
        return found.fileName;
      };
      const first = filesOf(
        bundle,
        chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
      );
      const texts = chunks.flatMap(({ facadeModuleId, fileName }) => {
        const locale = /i18n[\\/](\w+)\.json$/.exec(facadeModuleId ?? '')?.[1];
        return locale ? [[locale, fileName] as const] : [];
      });
      const listed = pages.map(([path, ...sources]) => ({
        path: addressOf(path),
        files: filesOf(
          bundle,
          sources.map((source) =>
            fileOf(source.startsWith('../') ? `src${source.slice(2)}` : `src/features/${source}`),
          ),
        ).filter((file) => !first.includes(file)),
      }));
      const fonts = Object.keys(bundle).filter((file) => everywhere.test(file));
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify({
          pages: listed,
          requests: requests.map(([path, request]) => ({ path: addressOf(path), request })),
          texts: Object.fromEntries(texts),
          fonts,
        }),
      });
    },
  };
}

const addressOf = (path: string): string => `^(?:/(?<tenant>[\\w-]+))?${path}/?$`;

/** These files and all that they import, scripts and styles. */
function filesOf(bundle: Rolldown.OutputBundle, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== 'chunk') return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const name of names) visit(name);
  return [...found];
}
