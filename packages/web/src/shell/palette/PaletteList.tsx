import { IconAlertTriangle } from '@tabler/icons-react';
import { type MouseEvent, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { StatePill } from '../../ui/StatePill.tsx';
import type { PaletteGroup, PaletteItem } from './item.ts';
import { piecesOf } from './match.ts';
import styles from './Palette.module.css';
import { useAddressOf } from './useChoose.ts';

export const optionId = ({ id }: PaletteItem): string => `palette-${id.replace(/[^\w-]/g, '_')}`;

interface PaletteListProps {
  groups: readonly PaletteGroup[];
  words: readonly string[];
  active: PaletteItem | undefined;
  label: string;
  onActive: (item: PaletteItem) => void;
  onChoose: (item: PaletteItem, inNewTab: boolean) => void;
}

export function PaletteList({ groups, words, active, label, onActive, onChoose }: PaletteListProps) {
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
