import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconBell,
  IconBolt,
  IconBook2,
  IconFileSearch,
  IconLanguage,
  IconLayoutDashboard,
  IconMoon,
  IconPlayerPlay,
  IconPlus,
  IconRoute,
  IconSun,
} from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { startTour } from '../../features/tour/index.ts';
import { changeLocale } from '../../i18n/i18n.ts';
import { type Locale, languageTag, locales } from '../../i18n/locales.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { usePlayTask } from '../../state/playTask.ts';
import { writeStored } from '../../storage/storage.ts';
import { openDocs, openNews } from '../context/contextState.ts';
import type { PaletteItem } from './item.ts';

interface Actions {
  readonly usual: readonly PaletteItem[];
  /** Only for those who ask: they would fill the list. */
  readonly onDemand: readonly PaletteItem[];
}

/** What the palette can do. `onExecute` asks for the flow to execute. */
export function useActions(onExecute: () => void): Actions {
  const { t, i18n } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const player = usePlayTask();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const hasPanels = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.staticData.layout ?? 'default') === 'default',
  });
  const page = (
    id: string,
    label: string,
    icon: PaletteItem['icon'],
    path: string,
    keywords = '',
  ): PaletteItem => ({ id: `action:${id}`, label, icon, keywords, target: { kind: 'page', path } });
  const action = (
    id: string,
    label: string,
    icon: PaletteItem['icon'],
    run: () => void,
    more: { keywords?: string; staysOpen?: boolean } = {},
  ): PaletteItem => ({
    id: `action:${id}`,
    label,
    icon,
    keywords: more.keywords ?? '',
    target: { kind: 'action', run, staysOpen: more.staysOpen ?? false },
  });
  const speak = (locale: Locale) => {
    writeStored('lang', locale);
    void changeLocale(locale);
  };
  return {
    usual: [
      page('create-flow', t('flow.create'), IconPlus, 'flows/new'),
      action('execute', t('jump.execute'), IconBolt, onExecute, { staysOpen: true }),
      ...(player?.selectedId === undefined
        ? []
        : (['task', 'upTo'] as const).map((mode) => ({
            ...action(
              `play:${mode}`,
              t(mode === 'task' ? 'playground.executeTask' : 'playground.executeUpTo'),
              IconPlayerPlay,
              () => player.play(player.selectedId ?? '', mode),
            ),
            detail: player.selectedId,
          }))),
      page('create-dashboard', t('dashboard.create'), IconLayoutDashboard, 'dashboards/new'),
      page('source-search', t('flowSearch.title'), IconFileSearch, 'flows/search'),
      action('theme', t(`theme.${next}`), next === 'dark' ? IconMoon : IconSun, () => setColorScheme(next), {
        keywords: t('settings.theme'),
      }),
      ...(hasPanels
        ? [
            action('docs', t('jump.docsPanel'), IconBook2, () => openDocs(undefined)),
            action('news', t('jump.newsPanel'), IconBell, openNews),
          ]
        : []),
      action('tour', t('jump.tour'), IconRoute, startTour),
    ],
    onDemand: (Object.entries(locales) as [Locale, string][]) // The keys of an object that is fixed.
      .filter(([locale]) => languageTag(locale) !== i18n.language)
      .map(([locale, name]) =>
        action(
          `language:${locale}`,
          t('jump.language', { name }),
          IconLanguage,
          () => speak(locale),
          // A user who cannot read the current language finds the command by its English word too.
          { keywords: `language ${englishName(locale)}` },
        ),
      ),
  };
}

const englishName = (locale: Locale): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(languageTag(locale)) ?? locale;
