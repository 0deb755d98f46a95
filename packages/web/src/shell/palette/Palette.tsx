import { Loader, Modal, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconBolt, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react';
import { ExecuteDialog } from '../../features/executions/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DialogFocus } from '../../ui/dialog/Dialog.tsx';
import { KeyHint } from '../../ui/KeyHint.tsx';
import { StatePill } from '../../ui/values/StatePill.tsx';
import type { PaletteGroup, PaletteItem } from './item.ts';
import { piecesOf, wordsOf } from './match.ts';
import styles from './Palette.module.css';
import { useAddressOf, useChoose } from './useChoose.ts';
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
  /** Enter was pressed before the results arrived: it takes the first of them. */
  const [early, setEarly] = useState<{ inNewTab: boolean }>();
  const change = (next: string) => {
    setText(next);
    activate(undefined);
  };
  const activate = (id: string | undefined) => {
    setActiveId(id);
    setEarly(undefined);
  };
  const { groups, first, isPending, isSearching, isNothing } = usePaletteGroups({
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
  const active = items.find(({ id }) => id === activeId) ?? first;
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
  useEffect(() => {
    if (!early || isPending) return;
    setEarly(undefined);
    if (active) choose(active, early.inNewTab);
  });
  const move = (by: number) => {
    if (items.length === 0) return;
    const at = active ? items.indexOf(active) : by > 0 ? -1 : 0;
    activate(items[(at + by + items.length) % items.length]?.id);
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
    PageDown: () => activate(firstOfNextGroup(1)),
    PageUp: () => activate(firstOfNextGroup(-1)),
    Enter: (event) => {
      const inNewTab = event.ctrlKey || event.metaKey;
      if (active) choose(active, inNewTab);
      else if (isPending) setEarly({ inNewTab });
    },
    Backspace: () => setExecuting(false),
  };
  function firstOfNextGroup(by: number): string | undefined {
    const filled = groups.filter((group) => group.items.length > 0);
    const at = filled.findIndex((group) => group.items.some((item) => item === active));
    return filled[(at + by + filled.length) % filled.length]?.items[0]?.id;
  }

  return (
    <>
      <DialogFocus />
      <div className={styles.field}>
        {isExecuting ? <IconBolt size={18} aria-hidden /> : <IconSearch size={18} aria-hidden />}
        <input
          className={styles.input}
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
        {(isSearching || early) && <Loader size={16} color="var(--mr-text-muted)" aria-hidden />}
      </div>
      <VisuallyHidden role="status">{t('jump.count', { count: items.length })}</VisuallyHidden>
      {isNothing && <p className={styles.nothing}>{nothing}</p>}
      <PaletteList
        groups={groups}
        words={wordsOf(text)}
        active={active}
        label={label}
        onActive={(item) => activate(item.id)}
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

const optionId = ({ id }: PaletteItem): string => `palette-${id.replace(/[^\w-]/g, '_')}`;

interface PaletteListProps {
  groups: readonly PaletteGroup[];
  words: readonly string[];
  active: PaletteItem | undefined;
  label: string;
  onActive: (item: PaletteItem) => void;
  onChoose: (item: PaletteItem, inNewTab: boolean) => void;
}

function PaletteList({ groups, words, active, label, onActive, onChoose }: PaletteListProps) {
  const { t } = useTranslation();
  const addressOf = useAddressOf();
  const activeOption = active && optionId(active);
  useEffect(() => {
    if (activeOption) document.getElementById(activeOption)?.scrollIntoView({ block: 'nearest' });
  }, [activeOption]);

  const press = (event: MouseEvent, item: PaletteItem) => {
    event.preventDefault();
    onChoose(item, event.ctrlKey || event.metaKey);
  };
  return (
    <div className={styles.list} id="palette-list" role="listbox" aria-label={label}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
        <div key={group.id} role="group" aria-labelledby={`palette-group-${group.id}`}>
          <div className={styles.group} id={`palette-group-${group.id}`} role="presentation">
            {group.label}
          </div>
          {group.problem && (
            <div className={styles.problem} role="presentation">
              <IconAlertTriangle size={16} aria-hidden /> <span>{group.problem.text}</span>
              <button type="button" onClick={group.problem.retry}>
                {t('action.retry')}
              </button>
            </div>
          )}
          {group.items.map((item) => (
            <a
              key={item.id}
              id={optionId(item)}
              role="option"
              aria-selected={item === active}
              tabIndex={-1}
              className={styles.option}
              href={addressOf(item)}
              // Not on entering: a list that scrolls under a resting pointer must not change the choice.
              onMouseMove={() => item !== active && onActive(item)}
              onClick={(event) => press(event, item)}
            >
              <item.icon size={18} stroke={1.6} aria-hidden={true} />
              <span className={styles.name} data-code={item.isCode || undefined}>
                <Marked text={item.label} words={words} />
              </span>{' '}
              {item.detail && (
                <span className={styles.detail}>
                  <Marked text={item.detail} words={words} />
                </span>
              )}
              {item.state && <StatePill state={item.state} size="sm" />}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  let at = 0;
  return piecesOf(text, words).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isHit ? <mark key={key}>{piece.text}</mark> : piece.text;
  });
}
