import { Loader, Modal, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBolt, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExecuteDialog } from '../../features/executions/index.ts';
import { KeyHint } from '../../ui/KeyHint.tsx';
import type { PaletteItem } from './item.ts';
import { wordsOf } from './match.ts';
import styles from './Palette.module.css';
import { optionId, PaletteList } from './PaletteList.tsx';
import { useChoose } from './useChoose.ts';
import { usePaletteGroups } from './usePaletteGroups.ts';

const searchAfterMs = 150;

interface PaletteProps {
  opened: boolean;
  /** How often it was opened: each time it begins empty, also while the last one still fades away. */
  openings: number;
  onClose: () => void;
}

/** Jump anywhere and do anything by name. */
export function Palette({ opened, openings, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const [running, setRunning] = useState<{ namespace: string; flowId: string }>();
  return (
    <>
      <Modal.Root
        opened={opened}
        onClose={onClose}
        centered={false}
        yOffset="min(12vh, 96px)"
        size={640}
        padding={0}
        // On the root: a class of the content would reach the frame around it too.
        classNames={{ content: styles.content ?? '' }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label={t('jump.label')}>
          <PaletteBody key={openings} onClose={onClose} onRun={setRunning} />
        </Modal.Content>
      </Modal.Root>
      {running && <ExecuteDialog {...running} onClose={() => setRunning(undefined)} />}
    </>
  );
}

interface PaletteBodyProps {
  onClose: () => void;
  onRun: (flow: { namespace: string; flowId: string }) => void;
}

function PaletteBody({ onClose, onRun }: PaletteBodyProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), searchAfterMs);
  const [isExecuting, setExecuting] = useState(false);
  const [activeId, setActiveId] = useState<string>();
  const change = (next: string) => {
    setText(next);
    setActiveId(undefined);
  };
  const { groups, isSearching, isNothing } = usePaletteGroups({
    text,
    settled,
    isExecuting,
    onExecute: () => {
      setExecuting(true);
      change('');
    },
  });
  const open = useChoose(onClose);
  const items = groups.flatMap((group) => group.items);
  // Whatever arrives later, the first line is the one that Enter takes until another is chosen.
  const active = items.find(({ id }) => id === activeId) ?? items[0];
  const label = t(isExecuting ? 'jump.whichFlow' : 'jump.label');
  const nothing =
    isExecuting && settled === ''
      ? t('flow.none')
      : t(isExecuting ? 'jump.noFlow' : 'jump.noMatch', { q: text.trim() });

  const choose = (item: PaletteItem, inNewTab: boolean) => {
    if (!isExecuting) return open(item, inNewTab);
    onClose();
    onRun({ namespace: item.detail ?? '', flowId: item.label });
  };
  const move = (by: number) => {
    if (items.length === 0) return;
    const at = active ? items.indexOf(active) : -1;
    setActiveId(items[(at + by + items.length) % items.length]?.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const press = keyActions[event.key];
    if (
      event.nativeEvent.isComposing ||
      !press ||
      (event.key === 'Backspace' && !(isExecuting && text === ''))
    )
      return;
    event.preventDefault();
    press(event);
  };
  const keyActions: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => setActiveId(firstOfNextGroup(1)),
    PageUp: () => setActiveId(firstOfNextGroup(-1)),
    Enter: (event) => active && choose(active, event.ctrlKey || event.metaKey),
    Backspace: () => setExecuting(false),
  };
  function firstOfNextGroup(by: number): string | undefined {
    const filled = groups.filter((group) => group.items.length > 0);
    const at = filled.findIndex((group) => group.items.some((item) => item === active));
    return filled[(at + by + filled.length) % filled.length]?.items[0]?.id;
  }

  return (
    <>
      <div className={styles.field}>
        {isExecuting ? <IconBolt size={18} aria-hidden /> : <IconSearch size={18} aria-hidden />}
        <input
          className={styles.input}
          // biome-ignore lint/a11y/noAutofocus: a dialog that somebody opened in order to type.
          autoFocus
          data-autofocus
          role="combobox"
          aria-label={label}
          aria-expanded={items.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={active && optionId(active)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={label}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isSearching && <Loader size={16} color="var(--mr-text-muted)" aria-hidden />}
      </div>
      <VisuallyHidden role="status">{t('jump.count', { count: items.length })}</VisuallyHidden>
      {isNothing && <p className={styles.nothing}>{nothing}</p>}
      <PaletteList
        groups={groups}
        words={wordsOf(text)}
        active={active}
        label={label}
        onActive={(item) => setActiveId(item.id)}
        onChoose={choose}
      />
      <p className={styles.keys} aria-hidden="true">
        <span>
          <KeyHint keys="↑+↓" /> {t('jump.keys.move')}
        </span>
        <span>
          <KeyHint keys="↵" /> {t(isExecuting ? 'jump.keys.execute' : 'jump.keys.open')}
        </span>
        <span>
          {isExecuting ? (
            <>
              <KeyHint keys="⌫" /> {t('jump.keys.back')}
            </>
          ) : (
            <>
              <KeyHint keys="mod+↵" /> {t('jump.keys.newTab')}
            </>
          )}
        </span>
        <span>
          <KeyHint keys="Esc" /> {t('jump.keys.close')}
        </span>
      </p>
    </>
  );
}
