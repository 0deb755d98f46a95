import { stateTypes } from '@millrace/contract';
import { DraftNote } from '../../src/ui/DraftNote.tsx';
import {
  CopiedIcon,
  CopyButton,
  DateAgo,
  DateTime,
  Duration,
  EditedIcon,
  Id,
  KeyHint,
  PlaygroundIcon,
  StateIcon,
  StatePill,
  Tags,
  TimeOpen,
  WarningIcon,
} from '../../src/ui/index.ts';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const long = 'a_name_that_is_much_longer_than_anybody_expected_when_this_was_drawn';
const labels = ['team', 'env', 'region', 'owner', 'tier'].map((key) => ({ key, value: `${key}-value` }));

export const values: readonly GalleryExample[] = [
  ...(['sm', 'md', 'lg'] as const).map(
    (size): GalleryExample => ({
      name: `StatePill, ${size}: every state`,
      show: () => (
        <div className={styles.row}>
          {stateTypes.map((state) => (
            <StatePill key={state} state={state} size={size} />
          ))}
        </div>
      ),
    }),
  ),
  {
    name: 'CopiedIcon, EditedIcon and PlaygroundIcon',
    show: () => (
      <>
        <CopiedIcon /> <EditedIcon /> <PlaygroundIcon />
      </>
    ),
  },
  {
    name: 'DraftNote: offered and restored',
    show: () => (
      <div>
        <DraftNote
          text="There is another draft of this flow:"
          at="2026-03-01T02:00:00Z"
          onRestore={() => {}}
          onDiscard={() => {}}
        />
        <DraftNote
          text="Your unsaved changes were restored:"
          at="2026-03-01T02:00:00Z"
          onDiscard={() => {}}
        />
      </div>
    ),
  },
  {
    name: 'WarningIcon',
    show: () => <WarningIcon label="This row cannot be read. It can be deleted." />,
  },
  {
    name: 'StatePill, still; StateIcon',
    show: () => (
      <div className={styles.row}>
        <StatePill state="RUNNING" still />
        {stateTypes.map((state) => (
          <StateIcon key={state} state={state} size={16} />
        ))}
      </div>
    ),
  },
  {
    name: 'Id, short and whole; CopyButton',
    show: () => (
      <div className={styles.row}>
        <Id value="6hZk2Qw9TgXcVbNmAsDfGh" short />
        <Id value="6hZk2Qw9TgXcVbNmAsDfGh" />
        <CopyButton value="copied" />
      </div>
    ),
  },
  {
    name: 'DateTime, DateAgo, Duration ended and live, TimeOpen',
    show: () => (
      <div className={styles.row}>
        <DateTime value="2026-03-01T02:00:00Z" />
        <DateAgo value={new Date().toISOString()} />
        <DateAgo value="2020-03-01T02:00:00Z" />
        <Duration from="2026-03-01T02:00:00Z" to="2026-03-01T03:02:03Z" />
        <Duration from={new Date().toISOString()} />
        <TimeOpen time={{ endedMs: 90_000 }} />
      </div>
    ),
  },
  {
    name: 'Tags: none, one, many, very long, on several lines',
    show: () => (
      <>
        <div className={styles.row}>
          <Tags items={[]} />
          <Tags items={labels.slice(0, 1)} />
          <Tags items={labels} />
          <Tags items={[{ key: long, value: long }]} />
        </div>
        <Tags items={labels} max={99} wrap />
      </>
    ),
  },
  {
    name: 'KeyHint',
    show: () => (
      <div className={styles.row}>
        <KeyHint keys="mod+K" />
        <KeyHint keys="Esc" />
      </div>
    ),
  },
];
