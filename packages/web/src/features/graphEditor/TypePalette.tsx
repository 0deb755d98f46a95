import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Loading } from '../../ui/index.ts';
import type { AskedSchema } from '../forms/index.ts';
import { asSchema, newElement, type Schema, schemaAt, typeSchema, typesOf } from '../forms/schema/index.ts';
import { PluginIcon } from '../topology/index.ts';
import type { FlowText } from './edits/flowText.ts';
import type { Part } from './edits/slot.ts';
import styles from './TypePalette.module.css';

interface TypePaletteProps {
  readonly title: string;
  /** Undefined while they load. */
  readonly types: ReadonlyMap<string, string> | undefined;
  onChoose(type: string): void;
  onClose(): void;
}

/** Chooses the type of a new task with a few keys: words narrow the list, arrows move, Enter takes. */
export function TypePalette({ title, types, onChoose, onClose }: TypePaletteProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [stored] = useState(readRecent);
  // Not deferred: Enter must take an entry for the words that stand in the field.
  const { recent, others } = useMemo(() => rankTypes(types ?? none, words, stored), [types, words, stored]);
  const all = [...recent, ...others];
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);
  const choose = (type: string) => {
    writeStored('recentTypes', withRecent(readRecent(), type).join(','));
    onChoose(type);
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const row = ({ type, title: about }: OfferedType, index: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works in the text field above the list.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      key={type}
      id={optionId(index)}
      role="option"
      aria-selected={index === at}
      data-index={index}
      className={styles.option}
      onPointerMove={() => setAt(index)}
      onClick={() => choose(type)}
    >
      <PluginIcon type={type} size={22} />
      <span className={styles.names}>
        <span className={styles.type}>{type}</span>
        <span className={styles.about}>{about}</span>
      </span>
    </div>
  );
  return (
    <Dialog onClose={onClose} title={title} size="lg" yOffset="8vh" returnFocus={false}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={all.length > 0 ? optionId(at) : undefined}
        aria-label={t('graphEditor.searchTypes')}
        placeholder={t('graphEditor.searchTypes')}
        leftSection={<IconSearch size={15} />}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const last = Math.max(0, all.length - 1);
          if (event.key === 'ArrowDown') setAt(Math.min(last, at + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
          else if (event.key === 'Enter') {
            const chosen = all[at];
            if (chosen) choose(chosen.type);
          } else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label={title} className={styles.list}>
        {recent.length > 0 && <p className={styles.group}>{t('graphEditor.recent')}</p>}
        {recent.map((type, index) => row(type, index))}
        {recent.length > 0 && others.length > 0 && (
          <p className={styles.group}>{t('graphEditor.allTypes')}</p>
        )}
        {others.map((type, index) => row(type, recent.length + index))}
        {!types && <Loading />}
        {types && all.length === 0 && <p className={styles.none}>{t('form.noType')}</p>}
      </div>
    </Dialog>
  );
}

const none: ReadonlyMap<string, string> = new Map();

const readRecent = (): string[] => (readStored('recentTypes') ?? '').split(',').filter(Boolean);

/** A type that the palette offers. */
interface OfferedType {
  readonly type: string;
  readonly title: string;
}

interface RankedTypes {
  readonly recent: readonly OfferedType[];
  readonly others: readonly OfferedType[];
}

/** More entries than this are reached by typing, not by scrolling. */
const MAX_SHOWN = 120;

/** The types that fit the words: the recently used first, then by how well the name fits. */
export function rankTypes(
  types: ReadonlyMap<string, string>,
  search: string,
  recentTypes: readonly string[],
): RankedTypes {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = [...types].flatMap(([type, title]) => {
    const score = scoreOf(type.toLowerCase(), title.toLowerCase(), words);
    return score === undefined ? [] : [{ type, title, score }];
  });
  const isRecent = new Map(recentTypes.map((type, index) => [type, index]));
  const recent = offered
    .filter(({ type }) => isRecent.has(type))
    .sort((a, b) => (isRecent.get(a.type) ?? 0) - (isRecent.get(b.type) ?? 0));
  const others = offered
    .filter(({ type }) => !isRecent.has(type))
    .sort((a, b) => a.score - b.score || a.type.localeCompare(b.type));
  return { recent: recent.map(bare), others: others.slice(0, MAX_SHOWN).map(bare) };
}

const bare = ({ type, title }: OfferedType): OfferedType => ({ type, title });

/** Lower is better; undefined when a word is in neither the name nor the title. */
function scoreOf(type: string, title: string, words: readonly string[]): number | undefined {
  const name = type.slice(type.lastIndexOf('.') + 1);
  // "http" means the HTTP tasks rather than a type whose name begins with it.
  const groups = type.split('.').slice(0, -1);
  let score = 0;
  for (const word of words) {
    if (name === word) score += 0;
    else if (groups.includes(word)) score += 0.75;
    else if (name.startsWith(word)) score += 1;
    else if (name.includes(word)) score += 3;
    else if (type.includes(word)) score += 4;
    else if (title.includes(word)) score += 8;
    else return undefined;
  }
  // Control tasks and the basics are what a flow is made of.
  return score + (type.startsWith('core.') ? 0 : 0.5);
}

const MAX_RECENT = 6;

/** The types as they are stored: the newest first, each once. */
export const withRecent = (recent: readonly string[], type: string): string[] =>
  [type, ...recent.filter((known) => known !== type)].slice(0, MAX_RECENT);

/** The types that a task or a trigger can have, with their titles. */
export function typesFor(schema: Pick<AskedSchema, 'data'>, kind: Part['kind']): ReadonlyMap<string, string> {
  const place = placeOf(schema, kind);
  return place ? typesOf(place) : new Map();
}

/** A new task or trigger of a type: a free id, and the values that its schema gives. */
export async function newElementOf(
  schema: AskedSchema,
  text: FlowText,
  kind: Part['kind'],
  type: string,
): Promise<Record<string, unknown> | undefined> {
  const place = placeOf(schema, kind);
  if (!place) return undefined;
  const definitions = asSchema(schema.data?.definitions);
  const known = typeSchema(definitions, place, type) ?? (await schema.readType(type)) ?? {};
  // A type without a schema, such as one of a missing plugin, still needs an id.
  const properties = { id: {}, ...asSchema(known.properties) };
  return newElement({ ...known, properties }, type, text.ids);
}

function placeOf(schema: Pick<AskedSchema, 'data'>, kind: Part['kind']): Schema | undefined {
  const definitions = asSchema(schema.data?.definitions);
  const { field } = schemaAt(definitions, asSchema(definitions.Flow), {}, [
    kind === 'task' ? 'tasks' : 'triggers',
  ]);
  return field.kind === 'blocks' ? field.items.place : undefined;
}
