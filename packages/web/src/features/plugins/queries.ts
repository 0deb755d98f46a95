import { plugins } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import i18next from 'i18next';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

/** What comes with the server changes only when the server does. */
const fixed = { staleTime: 600_000 } as const;

export const pluginGroupsQuery = () =>
  queryOptions({
    queryKey: ['plugins', currentTenant(), 'groups'],
    queryFn: ({ signal }) => call(plugins.listPluginGroups, { query: { includeDeprecated: false }, signal }),
    ...fixed,
  });

export const groupIconsQuery = () =>
  queryOptions({
    queryKey: ['plugins', currentTenant(), 'groupIcons'],
    queryFn: ({ signal }) => call(plugins.getGroupIcons, { signal, failures: 'handled' }),
    ...fixed,
  });

export const pluginDocumentQuery = (cls: string, version: string | undefined) =>
  queryOptions({
    queryKey: ['plugins', currentTenant(), cls, version],
    queryFn: ({ signal }) => {
      // Without a type the address would be that of the list of all.
      if (cls === '') throw new Error(i18next.t('plugin.missingCls'));
      return version
        ? call(plugins.getPluginVersion, { params: { cls, version }, query: { all: false }, signal })
        : call(plugins.getPluginDocumentation, { params: { cls }, query: { all: false }, signal });
    },
    ...fixed,
  });

export const pluginVersionsQuery = (cls: string) =>
  queryOptions({
    queryKey: ['plugins', currentTenant(), cls, 'versions'],
    queryFn: ({ signal }) =>
      call(plugins.listPluginVersions, { params: { cls }, signal, failures: 'handled' }),
    ...fixed,
  });
