import {
  type Execution,
  executions,
  type Flow,
  flows,
  type provider,
  type ReplyOf,
} from '@millrace/contract';
import { IconBook2, IconHistory, IconSitemap } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { docSearchQuery } from '../../features/docs/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../configuration.ts';
import type { PaletteGroup, PaletteItem } from './item.ts';

const shown = 6;
const freshMs = 10_000;

/** A single word that an id may begin with; ids are letters, digits and a few signs. */
const idStart = /^[\w.-]{2,}$/;

/** Results of one kind, which may still be those of an earlier text. */
export interface FoundGroup extends PaletteGroup {
  /** Whether the items are the results for the words, not those of an earlier search. */
  readonly isCurrent: boolean;
  /** Whether the results for the words are on their way. */
  readonly isPending: boolean;
}

/** What the server finds for these words. A query that is no longer wanted is cancelled. */
export function useSearchResults(
  q: string,
  isExecuting: boolean,
): { groups: FoundGroup[]; isSearching: boolean } {
  const { t } = useTranslation();
  const { version } = useConfiguration();
  const wantsMore = !isExecuting && q !== '';
  const flow = useQuery({ ...flowHits(q), enabled: isExecuting || q !== '' });
  const execution = useQuery({ ...executionHits(q), enabled: wantsMore && idStart.test(q) });
  const doc = useQuery({
    ...docSearchQuery(version, q),
    enabled: wantsMore,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const all = [
    group('flows', t('nav.flows'), flow, flow.data?.map(flowItem)),
    ...(wantsMore && idStart.test(q)
      ? [group('executions', t('nav.executions'), execution, execution.data?.map(executionItem))]
      : []),
    ...(wantsMore ? [group('docs', t('context.docs'), doc, doc.data?.slice(0, shown).map(docItem))] : []),
  ];
  return {
    groups: isExecuting || q !== '' ? all : [],
    isSearching: flow.isFetching || execution.isFetching || doc.isFetching,
  };

  function group(
    id: string,
    label: string,
    query: {
      error: Error | null;
      isPlaceholderData: boolean;
      isPending: boolean;
      isFetching: boolean;
      refetch: () => unknown;
    },
    items: readonly PaletteItem[] = [],
  ): FoundGroup {
    const problem = query.error
      ? {
          text: t('jump.failed', { what: label, reason: query.error.message }),
          retry: () => void query.refetch(),
        }
      : undefined;
    const isCurrent = !query.isPlaceholderData && !query.isPending;
    const isPending = !isCurrent && query.isFetching;
    return { id, label, items: query.error ? [] : items, problem, isCurrent, isPending };
  }
}

const options = { placeholderData: keepPreviousData, staleTime: freshMs, retry: false } as const;

const flowHits = (q: string) =>
  queryOptions({
    queryKey: ['palette', currentTenant(), 'flows', q],
    queryFn: async ({ signal }) => {
      const query = { ...(q !== '' && { q }), size: shown, sort: 'id:asc' };
      return (await call(flows.searchFlows, { query, signal, failures: 'handled' })).results;
    },
    ...options,
  });

const executionHits = (q: string) =>
  queryOptions({
    queryKey: ['palette', currentTenant(), 'executions', q],
    queryFn: async ({ signal }) => {
      const query = { q, size: shown, sort: 'state.startDate:desc' };
      const { results } = await call(executions.searchExecutions, { query, signal, failures: 'handled' });
      // The search also finds runs of flows with that name; an id that begins so is what was typed.
      const isNamed = ({ id }: { id: string }) => id.toLowerCase().startsWith(q.toLowerCase());
      return [...results].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
    },
    ...options,
  });

const flowItem = ({
  namespace,
  id,
  description,
}: Pick<Flow, 'namespace' | 'id' | 'description'>): PaletteItem => ({
  id: `flow:${namespace}.${id}`,
  label: id,
  detail: namespace,
  icon: IconSitemap,
  isCode: true,
  keywords: description ?? '',
  target: { kind: 'page', path: `flows/edit/${encodeURIComponent(namespace)}/${encodeURIComponent(id)}` },
});

const executionItem = ({ id, namespace, flowId, state }: Execution): PaletteItem => ({
  id: `execution:${id}`,
  label: id,
  detail: `${namespace}.${flowId}`,
  icon: IconHistory,
  isCode: true,
  state: state.current,
  target: {
    kind: 'page',
    path: `executions/${encodeURIComponent(namespace)}/${encodeURIComponent(flowId)}/${encodeURIComponent(id)}`,
  },
});

const docItem = ({
  parsedUrl,
  title,
  description,
}: ReplyOf<typeof provider.searchDocs>[number]): PaletteItem => ({
  id: `doc:${parsedUrl}`,
  label: title,
  detail: description,
  icon: IconBook2,
  target: { kind: 'page', path: `docs/${parsedUrl.replace(/^\//, '')}` },
});
