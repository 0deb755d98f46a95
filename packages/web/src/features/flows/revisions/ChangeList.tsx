import { ActionIcon, Button } from '@mantine/core';
import { diffFlows, type FlowChange, parseFlow, type TaskPlace } from '@millrace/engine';
import {
  IconArrowBackUp,
  IconArrowsMove,
  IconCursorText,
  IconMinus,
  IconPencil,
  IconPlus,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import styles from './FlowRevisions.module.css';
import { restoreChange } from './restoreChange.ts';

interface ChangeListProps {
  readonly changes: readonly FlowChange[];
  /** The source that a change is restored from, and the one that it is restored into. */
  readonly before: string;
  readonly current: string;
  readonly onRestore?: ((text: string | undefined) => void) | undefined;
}

const icons: Readonly<Record<FlowChange['kind'], TablerIcon>> = {
  added: IconPlus,
  removed: IconMinus,
  changed: IconPencil,
  moved: IconArrowsMove,
  renamed: IconCursorText,
  flow: IconSettings,
};

/** More are one click away. */
const SHOWN = 8;

/** The changes in words, each with the way to take it back alone. */
export function ChangeList({ changes, before, current, onRestore }: ChangeListProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  if (changes.length === 0) return <p className={styles.summary}>{t('revisions.onlyText')}</p>;
  const shown = isWhole ? changes : changes.slice(0, SHOWN);
  return (
    <ul className={styles.changes} aria-label={t('revisions.changes')}>
      {shown.map((change) => {
        const Icon = icons[change.kind];
        const label = t('revisions.restoreChange');
        return (
          <li key={keyOf(change)} data-kind={change.kind}>
            <Icon size={14} stroke={2} aria-hidden="true" />
            <span className={styles.sentence}>{sentenceOf(change, t)}</span>
            {onRestore && (
              <Hint label={label}>
                <ActionIcon
                  size={22}
                  aria-label={`${label}: ${sentenceOf(change, t)}`}
                  onClick={() => onRestore(restoreChange(current, before, change))}
                >
                  <IconArrowBackUp size={14} />
                </ActionIcon>
              </Hint>
            )}
          </li>
        );
      })}
      {changes.length > SHOWN && (
        <li>
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('revisions.fewer') : t('revisions.more', { count: changes.length - SHOWN })}
          </Button>
        </li>
      )}
    </ul>
  );
}

const keyOf = (change: FlowChange): string =>
  change.kind === 'flow' ? `flow ${change.property.path}` : `${change.kind} ${change.part} ${change.id}`;

export function sentenceOf(change: FlowChange, t: TFunction): string {
  if (change.kind === 'flow') {
    const { path, before, after } = change.property;
    return t('revisions.say.flow', { path, before: shortly(before), after: shortly(after) });
  }
  const part = t(`revisions.part.${change.part}`);
  const { id } = change;
  switch (change.kind) {
    case 'added':
    case 'removed':
      return t(`revisions.say.${change.kind}`, { part, id, place: placeOf(change.place) });
    case 'renamed':
      return t('revisions.say.renamed', { part, id, before: change.before });
    case 'moved':
      return change.after === undefined
        ? t('revisions.say.movedFirst', { part, id, place: placeOf(change.to) })
        : t('revisions.say.moved', { part, id, other: change.after, place: placeOf(change.to) });
    case 'changed': {
      const [first] = change.properties;
      if (change.properties.length > 1 || !first)
        return t('revisions.say.changed', {
          part,
          id,
          paths: change.properties.map(({ path }) => path).join(', '),
        });
      return t('revisions.say.property', {
        part,
        id,
        path: first.path,
        before: shortly(first.before),
        after: shortly(first.after),
      });
    }
  }
}

const placeOf = (place: TaskPlace | undefined): string =>
  place?.parent === undefined ? (place?.branch ?? '') : `${place.parent}.${place.branch}`;

const MAX_VALUE = 40;

/** A value in a few characters, a text in quotes; a missing one is a dash. */
function shortly(value: unknown): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : JSON.stringify(value);
  const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
  return typeof value === 'string' ? `“${short}”` : short;
}

/** Both texts as flows and what changed between them; undefined when one of them is no flow. */
export function compareFlows(before: string, after: string) {
  const [old, fresh] = [parseFlow(before).flow, parseFlow(after).flow];
  return old && fresh ? { before: old, after: fresh, changes: diffFlows(old, fresh) } : undefined;
}
