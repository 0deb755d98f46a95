import type { Configuration } from '@millrace/contract';
import {
  IconAdjustments,
  IconBell,
  IconBuilding,
  IconCalendarTime,
  IconChartGridDots,
  IconClipboardText,
  IconDatabase,
  IconFileStack,
  IconFileText,
  IconFolders,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconPlug,
  IconServer2,
  IconSettings,
  IconShield,
  IconSitemap,
  IconStack2,
  IconTemplate,
  IconTimeline,
  IconUsers,
} from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { InboxBadge } from '../../features/inbox/index.ts';
import { useTenant } from '../../routing/tenant.ts';
import { useConfiguration } from '../configuration.ts';

/** An entry of the menu. Its path names the section that it stays highlighted for. */
export interface NavigationItem {
  readonly label: NavigationLabel;
  readonly icon: typeof IconSitemap;
  /** The path behind the tenant, without a slash in front. */
  readonly path: string;
  /** The part of the path that all pages of the section begin with, when it is shorter than the path. */
  readonly section?: string;
  /** Of the Enterprise Edition: its page tells what it would do. */
  readonly isLocked?: boolean;
  readonly isShown?: (configuration: Configuration) => boolean;
  /** A small number beside the label. */
  readonly badge?: ComponentType;
}

export interface NavigationGroup {
  readonly label: NavigationLabel;
  readonly icon: typeof IconSitemap;
  readonly children: readonly NavigationItem[];
}

type NavigationLabel = `nav.${keyof typeof import('../../i18n/en.json')['nav']}`;

export type NavigationEntry = NavigationItem | NavigationGroup;

/** The sidebar, from top to bottom: what is used most comes first. */
export const navigation: readonly NavigationEntry[] = [
  { label: 'nav.dashboards', path: 'dashboards', icon: IconLayoutDashboard },
  { label: 'nav.inbox', path: 'inbox', icon: IconInbox, badge: InboxBadge },
  { label: 'nav.flows', path: 'flows', icon: IconSitemap },
  { label: 'nav.executions', path: 'executions', icon: IconHistory },
  { label: 'nav.calendar', path: 'calendar', icon: IconCalendarTime },
  { label: 'nav.logs', path: 'logs', icon: IconFileText },
  {
    label: 'nav.taskRuns',
    path: 'taskruns',
    icon: IconTimeline,
    isShown: ({ isTaskRunEnabled }) => isTaskRunEnabled,
  },
  { label: 'nav.namespaces', path: 'namespaces', icon: IconFolders },
  { label: 'nav.kv', path: 'kv', icon: IconDatabase },
  { label: 'nav.secrets', path: 'secrets', icon: IconKey },
  {
    label: 'nav.blueprints',
    icon: IconTemplate,
    children: [
      { label: 'nav.flowBlueprints', path: 'blueprints/flow/community', icon: IconSitemap },
      { label: 'nav.dashboardBlueprints', path: 'blueprints/dashboard/community', icon: IconLayoutDashboard },
      { label: 'nav.customBlueprints', path: 'blueprints/flow/custom', icon: IconTemplate, isLocked: true },
    ],
  },
  { label: 'nav.plugins', path: 'plugins', icon: IconPlug },
  { label: 'nav.apps', path: 'apps', icon: IconStack2, isLocked: true },
  {
    label: 'nav.administration',
    icon: IconShield,
    children: [
      { label: 'nav.iam', path: 'admin/iam', icon: IconUsers, isLocked: true },
      { label: 'nav.auditLogs', path: 'admin/auditlogs', icon: IconClipboardText, isLocked: true },
      { label: 'nav.triggers', path: 'admin/triggers', icon: IconAdjustments },
      { label: 'nav.alerts', path: 'alerts', icon: IconBell },
      { label: 'nav.instance', path: 'admin/instance', icon: IconServer2 },
      { label: 'nav.tenants', path: 'admin/tenants', icon: IconBuilding, isLocked: true },
      { label: 'nav.stats', path: 'admin/stats', icon: IconChartGridDots },
    ],
  },
  { label: 'nav.settings', path: 'settings', icon: IconSettings },
];

/** Deprecated: the command palette and the settings lead to it. */
export const templatesPage: NavigationItem = {
  label: 'nav.templates',
  path: 'templates',
  icon: IconFileStack,
  isShown: ({ isTemplateEnabled }) => isTemplateEnabled,
};

export const isGroup = (entry: NavigationEntry): entry is NavigationGroup => 'children' in entry;

/** The entries that this installation shows. */
export function useNavigation(): readonly NavigationEntry[] {
  const configuration = useConfiguration();
  const isShown = (item: NavigationItem) => item.isShown?.(configuration) ?? true;
  return navigation.flatMap((entry): NavigationEntry[] => {
    if (!isGroup(entry)) return isShown(entry) ? [entry] : [];
    const children = entry.children.filter(isShown);
    return children.length > 0 ? [{ ...entry, children }] : [];
  });
}

/** The address of an entry, in the tenant of the present page. */
export function useHrefOf(): (item: Pick<NavigationItem, 'path'>) => string {
  const tenant = useTenant();
  return ({ path }) => (tenant ? `/${tenant}/${path}` : `/${path}`);
}

/** `here`: the page of the entry itself. `section`: a page below it. */
export function usePlaceOf(): (item: NavigationItem) => 'here' | 'section' | undefined {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const hrefOf = useHrefOf();
  return (item) => {
    if (pathname === hrefOf(item)) return 'here';
    return pathname.startsWith(`${hrefOf({ path: item.section ?? item.path })}/`) ? 'section' : undefined;
  };
}

export interface SidebarGroupProps {
  label: string;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** A page of the group is open. */
  isActive: boolean;
  isCollapsed: boolean;
  children: ReactNode;
}
