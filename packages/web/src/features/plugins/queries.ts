import { plugins } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import i18next from 'i18next';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

/** Plugins change only when the server is upgraded, so they are read once. */
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

/** With `handled` a type that does not exist is no missing page: the caller shows the error. */
export const pluginDocumentQuery = (
  cls: string,
  version: string | undefined,
  failures: 'reported' | 'handled' = 'reported',
) =>
  queryOptions({
    queryKey: ['plugins', currentTenant(), cls, version],
    queryFn: ({ signal }) => {
      // Without a type the address would be that of the list of all.
      if (cls === '') throw new Error(i18next.t('plugin.missingCls'));
      const more = { query: { all: false }, signal, failures };
      return version
        ? call(plugins.getPluginVersion, { params: { cls, version }, ...more })
        : call(plugins.getPluginDocumentation, { params: { cls }, ...more });
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
