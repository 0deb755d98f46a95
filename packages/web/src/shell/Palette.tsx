import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { IconMoon, IconPlus, IconSun } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isGroup } from './sidebar/navigation.ts';
import { useHrefOf, useNavigation } from './sidebar/useNavigation.ts';

/** Jump anywhere by name. It opens again each time `openings` grows. */
export function Palette({ openings }: { openings: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';

  useEffect(() => {
    if (openings > 0) spotlight.open();
  }, [openings]);

  const hrefOf = useHrefOf();
  const pages = useNavigation()
    .flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))
    .map((item) => ({
      id: item.path,
      label: t(item.label),
      leftSection: <item.icon size={18} stroke={1.6} />,
      onClick: () => void navigate({ href: hrefOf(item) }),
    }));
  const actions = [
    {
      id: 'create-flow',
      label: t('flow.create'),
      leftSection: <IconPlus size={18} stroke={1.6} />,
      onClick: () => void navigate({ to: '/{-$tenant}/flows/new', search: {} }),
    },
    {
      id: 'theme',
      label: t(`theme.${next}`),
      leftSection: next === 'dark' ? <IconMoon size={18} stroke={1.6} /> : <IconSun size={18} stroke={1.6} />,
      onClick: () => setColorScheme(next),
    },
  ];
  return (
    <Spotlight
      shortcut={null}
      actions={[
        { group: t('jump.pages'), actions: pages },
        { group: t('jump.actions'), actions },
      ]}
      nothingFound={t('jump.nothing')}
      highlightQuery
      searchProps={{ placeholder: t('jump.label'), 'aria-label': t('jump.label') }}
    />
  );
}
