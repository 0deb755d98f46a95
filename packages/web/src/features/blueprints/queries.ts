import { blueprints } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

interface BlueprintSearch {
  q: string | undefined;
  tag: string | undefined;
  page: number;
  size: number;
}

export const blueprintsQuery = (kind: string, { q, tag, page, size }: BlueprintSearch) =>
  queryOptions({
    queryKey: ['blueprints', currentTenant(), kind, 'list', q, tag, page, size],
    queryFn: ({ signal }) =>
      call(blueprints.listBlueprints, { params: { kind }, query: { q, tags: tag, page, size }, signal }),
    placeholderData: keepPreviousData,
  });

export const tagsQuery = (kind: string) =>
  queryOptions({
    queryKey: ['blueprints', currentTenant(), kind, 'tags'],
    queryFn: ({ signal }) => call(blueprints.listBlueprintTags, { params: { kind }, signal }),
    staleTime: 60_000,
  });

export const blueprintQuery = (kind: string, id: string) =>
  queryOptions({
    queryKey: ['blueprints', currentTenant(), kind, id],
    queryFn: ({ signal }) => call(blueprints.getBlueprint, { params: { kind, id }, signal }),
  });

export const blueprintGraphQuery = (kind: string, id: string) =>
  queryOptions({
    queryKey: ['blueprints', currentTenant(), kind, id, 'graph'],
    queryFn: ({ signal }) =>
      call(blueprints.getBlueprintGraph, { params: { kind, id }, signal, failures: 'handled' }),
    enabled: kind === 'flow',
  });

/** A tag as words: `getting-started` reads "getting started". */
export const tagWords = (tag: string): string => tag.replaceAll('-', ' ');
