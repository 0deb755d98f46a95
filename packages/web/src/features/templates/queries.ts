import { type QueryInputOf, type Template, templates } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { stringify } from 'yaml';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

export const templatesQuery = (query: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ['templates', currentTenant(), query],
    queryFn: ({ signal }) =>
      call(templates.searchTemplates, {
        query: query as QueryInputOf<typeof templates.searchTemplates>, // Built from the server's own fields.
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const templateQuery = (namespace: string, id: string) =>
  queryOptions({
    queryKey: ['templates', currentTenant(), namespace, id],
    queryFn: ({ signal }) => call(templates.getTemplate, { params: { namespace, id }, signal }),
  });

/** A template as text to edit. The server keeps templates as data, so comments are not part of them. */
export function sourceOf({ id, namespace, description, tasks, errors }: Template): string {
  return stringify({
    id,
    namespace,
    ...(description !== undefined && { description }),
    tasks,
    ...(errors && { errors }),
  });
}
