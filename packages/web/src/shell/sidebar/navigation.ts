import type { Configuration } from '@millrace/contract';
import {
  IconAdjustments,
  IconBuilding,
  IconChartGridDots,
  IconClipboardText,
  IconDatabase,
  IconFileStack,
  IconFileText,
  IconFolders,
  IconHistory,
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
}

export interface NavigationGroup {
  readonly label: NavigationLabel;
  readonly icon: typeof IconSitemap;
  readonly children: readonly NavigationItem[];
}

type NavigationLabel = `nav.${keyof typeof import('../../i18n/en.json')['nav']}`;

export type NavigationEntry = NavigationItem | NavigationGroup;

/** The sidebar, from top to bottom. */
export const navigation: readonly NavigationEntry[] = [
  { label: 'nav.dashboards', path: 'dashboards', icon: IconLayoutDashboard },
  { label: 'nav.flows', path: 'flows', icon: IconSitemap },
  {
    label: 'nav.templates',
    path: 'templates',
    icon: IconFileStack,
    isShown: ({ isTemplateEnabled }) => isTemplateEnabled,
  },
  { label: 'nav.apps', path: 'apps', icon: IconStack2, isLocked: true },
  { label: 'nav.executions', path: 'executions', icon: IconHistory },
  {
    label: 'nav.taskRuns',
    path: 'taskruns',
    icon: IconTimeline,
    isShown: ({ isTaskRunEnabled }) => isTaskRunEnabled,
  },
  { label: 'nav.logs', path: 'logs', icon: IconFileText },
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
  {
    label: 'nav.administration',
    icon: IconShield,
    children: [
      { label: 'nav.iam', path: 'admin/iam', icon: IconUsers, isLocked: true },
      { label: 'nav.auditLogs', path: 'admin/auditlogs', icon: IconClipboardText, isLocked: true },
      { label: 'nav.triggers', path: 'admin/triggers', icon: IconAdjustments },
      { label: 'nav.instance', path: 'admin/instance', icon: IconServer2, isLocked: true },
      { label: 'nav.tenants', path: 'admin/tenants', icon: IconBuilding, isLocked: true },
      { label: 'nav.stats', path: 'admin/stats', icon: IconChartGridDots },
    ],
  },
  { label: 'nav.settings', path: 'settings', icon: IconSettings },
];

export const isGroup = (entry: NavigationEntry): entry is NavigationGroup => 'children' in entry;
