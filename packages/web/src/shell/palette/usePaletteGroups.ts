import {
  IconBook2,
  IconFileSearch,
  IconFileText,
  IconHistory,
  IconLayoutSidebar,
  IconSitemap,
} from '@tabler/icons-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../configuration.ts';
import { isGroup, type NavigationEntry, templatesPage, useNavigation } from '../sidebar/navigation.ts';
import type { PaletteGroup, PaletteItem } from './item.ts';
import { scoreOf, wordsOf } from './match.ts';
import { useActions } from './useActions.ts';
import { type Recent, useRecents } from './useChoose.ts';
import { type FoundGroup, useSearchResults } from './useSearchResults.ts';

interface PaletteGroups {
  readonly groups: readonly PaletteGroup[];
  /** The entry that Enter takes until another is chosen; none while a better one may still arrive. */
  readonly first: PaletteItem | undefined;
  /** Results for the text are on their way. */
  readonly isPending: boolean;
  readonly isSearching: boolean;
  /** Nothing matches; only the searches in lists are left. */
  readonly isNothing: boolean;
}

interface Asked {
  /** The text of the field. */
  readonly text: string;
  /** The same a moment later: what the server is asked. */
  readonly settled: string;
  readonly isExecuting: boolean;
  onExecute(): void;
}

/** What the palette shows for a text: without one where to go and what to do, with one everything that fits. */
export function usePaletteGroups({ text, settled, isExecuting, onExecute }: Asked): PaletteGroups {
  const { t } = useTranslation();
  const pages = usePages();
  const actions = useActions(onExecute);
  const recents = useRecents().map(recentItem);
  const found = useSearchResults(settled, isExecuting);
  const words = wordsOf(text);
  const isSettled = settled === text.trim();
  const fitting = found.groups.map((group): FoundGroup => {
    const isCurrent = isSettled && group.isCurrent;
    const items = isCurrent
      ? group.items
      : group.items.filter((item) => scoreOf(wholeOf(item), words) !== undefined);
    return { ...group, items, isPending: !isSettled || group.isPending };
  });
  const isPending = !isSettled || fitting.some((group) => group.isPending);
  const { isSearching } = found;
  if (isExecuting)
    return {
      groups: fitting,
      first: firstOf(fitting),
      isPending,
      isSearching,
      isNothing: isEmpty(fitting) && !isPending,
    };
  if (words.length === 0) {
    const groups = [
      { id: 'recent', label: t('jump.recent'), items: recents },
      { id: 'actions', label: t('jump.actions'), items: actions.usual },
      { id: 'pages', label: t('jump.pages'), items: pages },
    ].filter(hasContent);
    return { groups, first: firstOf(groups), isPending: false, isSearching: false, isNothing: false };
  }
  const matching: (PaletteGroup | FoundGroup)[] = [
    { id: 'pages', label: t('jump.pages'), items: best(pages, words) },
    { id: 'actions', label: t('jump.actions'), items: best([...actions.usual, ...actions.onDemand], words) },
    ...fitting,
  ];
  const ways = { id: 'search', label: t('jump.search'), items: waysToSearch(text.trim()) };
  const first = firstOf(matching) ?? (isPending ? undefined : ways.items[0]);
  const groups = matching.filter(hasContent);
  return {
    groups: [...groups, ways],
    first,
    isPending,
    isSearching,
    isNothing: isEmpty(groups) && !isPending,
  };

  function waysToSearch(q: string): PaletteItem[] {
    const way = (path: string, label: string, icon: PaletteItem['icon']): PaletteItem => ({
      id: `search:${path}`,
      label,
      icon,
      target: { kind: 'page', path: `${path}?q=${encodeURIComponent(q)}` },
    });
    return [
      way('flows/search', t('jump.inSources', { q }), IconFileSearch),
      way('executions', t('jump.inExecutions', { q }), IconHistory),
      way('logs', t('jump.inLogs', { q }), IconFileText),
    ];
  }
}

const hasContent = ({ items, problem }: PaletteGroup) => items.length > 0 || problem !== undefined;
const isEmpty = (groups: readonly PaletteGroup[]) => !groups.some(hasContent);

/** The first item, unless a group before it still waits for its results. */
function firstOf(groups: readonly (PaletteGroup | FoundGroup)[]): PaletteItem | undefined {
  const decisive = groups.find(
    (group) => group.items.length > 0 || ('isPending' in group && group.isPending),
  );
  return decisive?.items[0];
}

const wholeOf = ({ label, detail = '', keywords = '' }: PaletteItem): string =>
  `${label} ${detail} ${keywords}`;

function best(items: readonly PaletteItem[], words: readonly string[]): PaletteItem[] {
  return items
    .flatMap((item) => {
      // A hit in the name counts more than one in the words around it.
      const named = scoreOf(item.label, words);
      const around = scoreOf(wholeOf(item), words);
      const score = named === undefined ? around : named + 10;
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

const recentIcons = {
  page: IconLayoutSidebar,
  flow: IconSitemap,
  execution: IconHistory,
  doc: IconBook2,
} as const;

const recentItem = ({ id, kind, label, detail, path }: Recent): PaletteItem => ({
  id,
  label,
  detail,
  icon: recentIcons[kind],
  isCode: kind === 'flow' || kind === 'execution',
  target: { kind: 'page', path },
});

/** Every entry of the menu, and pages that left it; those of a group carry its name. */
function usePages(): PaletteItem[] {
  const { t } = useTranslation();
  const configuration = useConfiguration();
  const menu = useNavigation();
  const entries: readonly NavigationEntry[] = templatesPage.isShown?.(configuration)
    ? [...menu, templatesPage]
    : menu;
  return entries.flatMap((entry) =>
    (isGroup(entry) ? entry.children : [entry]).map(
      (item): PaletteItem => ({
        id: `page:${item.path}`,
        label: t(item.label),
        icon: item.icon,
        detail: isGroup(entry) ? t(entry.label) : undefined,
        target: { kind: 'page', path: item.path },
      }),
    ),
  );
}
