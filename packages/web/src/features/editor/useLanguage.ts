import { useDebouncedValue } from '@mantine/hooks';
import {
  cluster,
  type Execution,
  executions,
  flows,
  type Issue,
  kv,
  namespaceFiles,
  namespaces,
  type plugins,
} from '@millrace/contract';
import type { KnownType, LanguageContext } from '@millrace/engine/language';
import { useQueries } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readExecution } from '../../api/follow.ts';
import { call } from '../../api/index.ts';
import { afterPaint } from '../../ui/afterPaint.ts';
import { executionValues, language } from '../language/index.ts';

interface EditedFlow {
  readonly source: string;
  readonly namespace: string;
  readonly id: string;
  readonly types: readonly (plugins.TypeSchema | null)[];
}

/**
 * Gives the language service what it has to know about an edited flow. Returns the mistakes in its expressions,
 * and a function that reads the names which completion and hover need beside the text.
 */
export function useLanguage({ source, namespace, id, types }: EditedFlow): {
  readonly issues: readonly Issue[];
  use(): void;
} {
  const [isUsed, setUsed] = useState(false);
  const context = useLanguageContext({ namespace, id }, types, isUsed);
  const ready = useRef(Promise.resolve());
  useEffect(() => {
    if (context.types.length === 0) return;
    // The service is not needed before the text is on the screen.
    ready.current = afterPaint()
      .then(() => language.setContext(context))
      .catch(() => {});
  }, [context]);
  const issues = useExpressionIssues(source, context, ready);
  return { issues, use: useCallback(() => setUsed(true), []) };
}

interface FlowKey {
  readonly namespace: string;
  readonly id: string;
}

const options = { failures: 'handled' } as const;
/** Names outside of the text change seldom while it is edited. */
const staleTime = 60_000;

/** While a name is typed, its beginnings are not requested. */
const pauseMs = 800;
const completeNamespace = /^[a-z0-9]([a-z0-9._-]*[a-z0-9_-])?$/;

/**
 * What the language service knows beside the text. Nothing is requested before the editor is used, and a part
 * that cannot be read is left out.
 */
function useLanguageContext(
  typed: FlowKey,
  types: readonly (plugins.TypeSchema | null)[],
  isUsed: boolean,
): LanguageContext {
  const [namespace] = useDebouncedValue(typed.namespace, pauseMs);
  const [id] = useDebouncedValue(typed.id, pauseMs);
  const enabled = isUsed && completeNamespace.test(namespace);
  const params = { namespace };
  const lookup = <T>(name: string, queryFn: () => Promise<T>, isWanted = enabled) => ({
    queryKey: ['language', name, namespace, name === 'execution' ? id : ''],
    queryFn,
    enabled: isWanted,
    staleTime,
    retry: false,
  });
  const [own, inherited, secrets, files, known, services, execution] = useQueries({
    queries: [
      lookup('kv', () => call(kv.listKv, { params, ...options })),
      lookup('inheritedKv', () => call(kv.listInheritedKv, { params, ...options })),
      lookup('secrets', () => call(namespaces.listSecrets, { params, query: { size: 500 }, ...options })),
      // Every path has a slash.
      lookup('files', () =>
        call(namespaceFiles.searchNamespaceFiles, { params, query: { q: '/' }, ...options }),
      ),
      lookup('flows', () => call(flows.searchFlows, { query: { size: 500 }, ...options })),
      lookup('services', () => call(cluster.listServices, { ...options })),
      lookup('execution', () => readLastExecution({ namespace, id }), enabled && id !== ''),
    ],
  });
  const knownTypes = useMemo(() => types.flatMap(toKnownType), [types]);
  return useMemo(
    (): LanguageContext => ({
      types: knownTypes,
      kvKeys: [...new Set([...(own.data ?? []), ...(inherited.data ?? [])].map(({ key }) => key))],
      secrets: secrets.data?.results.map(({ key }) => key) ?? [],
      files: files.data ?? [],
      flows: (known.data?.results ?? []).map((flow) => ({
        namespace: flow.namespace,
        id: flow.id,
        inputs: (flow.inputs ?? []).map((input) => ({ id: input.id, type: input.type })),
      })),
      workerGroups: [
        ...new Set((services.data?.results ?? []).flatMap(({ workerGroup }) => workerGroup ?? [])),
      ],
      labels: labelKeys(known.data?.results ?? []),
      ...(execution.data && { lastExecution: executionValues(execution.data) }),
    }),
    [
      knownTypes,
      own.data,
      inherited.data,
      secrets.data,
      files.data,
      known.data,
      services.data,
      execution.data,
    ],
  );
}

function toKnownType(type: plugins.TypeSchema | null): KnownType[] {
  if (!type) return [];
  const required = Array.isArray(type.schema.required) ? type.schema.required.map(String) : [];
  const described: unknown = type.schema.properties;
  const properties =
    typeof described === 'object' && described !== null
      ? Object.fromEntries(Object.entries(described).filter(([name]) => required.includes(name)))
      : {};
  return [
    {
      type: type.type,
      names: type.names,
      shape: type.shape as KnownType['shape'], // JSON has no undefined.
      required,
      properties,
    },
  ];
}

const labelKeys = (
  known: readonly { readonly labels?: readonly { readonly key: string }[] | undefined }[],
): string[] => [...new Set(known.flatMap(({ labels }) => (labels ?? []).map(({ key }) => key)))];

async function readLastExecution({ namespace, id }: FlowKey): Promise<Execution | null> {
  const query = { namespace, flowId: id, size: 1, sort: ['state.startDate:desc'] };
  const [newest] = (await call(executions.searchExecutions, { query, ...options })).results;
  if (!newest) return null;
  return readExecution(newest.id, options);
}

/** Shorter than a pause in typing, longer than the time between two keys. */
const PAUSE_MS = 150;

const none: readonly Issue[] = [];

/** Mistakes in the expressions of a text, once typing pauses; until then those of the text before. */
function useExpressionIssues(
  source: string,
  context: LanguageContext,
  /** Resolves when the service has the context. */
  ready: RefObject<Promise<void>>,
): readonly Issue[] {
  const [found, setFound] = useState(none);
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
    if (context.types.length === 0) return;
    const timer = setTimeout(() => {
      ready.current
        .then(() => language.check(source))
        .then(
          (issues) => {
            if (latest.current === source) setFound(issues);
          },
          () => {}, // The server checks the same, so a broken worker hides nothing.
        );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, context, ready]);
  return found;
}
