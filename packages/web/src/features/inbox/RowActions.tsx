import { ActionIcon, Menu } from '@mantine/core';
import { type BodyOf, type InboxMark, inbox } from '@millrace/contract';
import { IconBellOff, IconCheck, IconNote, IconRotate } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { RowMenu } from '../../ui/menu/RowMenu.tsx';
import styles from './inbox.module.css';

interface RowActionsProps {
  itemKey: string;
  /** The name of the item, for screen readers. */
  name: string;
  /** Since when it needs attention. */
  at: string;
  mark: InboxMark | undefined;
  /** Further items of the menu. */
  more?: () => ReactNode;
}

const NoteDialog = lazyPart(() => import('./NoteDialog.tsx'), 'NoteDialog');

const hourMs = 3_600_000;
const mutes = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs } as const;

export const isHidden = (mark: InboxMark | undefined, at: string): boolean =>
  (mark?.acknowledgedAt !== undefined && mark.acknowledgedAt >= at) ||
  (mark?.mutedUntil !== undefined && Date.parse(mark.mutedUntil) > Date.now());

/** Acknowledge, mute and note: the same for every item. */
export function RowActions({ itemKey, name, at, mark, more }: RowActionsProps) {
  const { t } = useTranslation();
  const [isWriting, setWriting] = useState(false);
  const marking = useMark();
  const hidden = isHidden(mark, at);
  const toggle = () =>
    marking.mutate(
      hidden ? { key: itemKey, acknowledged: false, mutedUntil: null } : { key: itemKey, acknowledged: true },
    );
  const label = t(hidden ? 'inbox.bringBack' : 'inbox.acknowledge');
  return (
    <span className={styles.actions}>
      <Hint label={label}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={`${label}: ${name}`}
          data-acknowledge
          loading={marking.isPending}
          onClick={toggle}
        >
          {hidden ? <IconRotate size={16} stroke={1.7} /> : <IconCheck size={16} stroke={1.7} />}
        </ActionIcon>
      </Hint>
      <RowMenu label={t('inbox.more', { name })}>
        {() => (
          <>
            {more?.()}
            {(['hour', 'day', 'week'] as const).map((span) => (
              <Menu.Item
                key={span}
                leftSection={<IconBellOff size={15} stroke={1.7} />}
                onClick={() =>
                  marking.mutate({
                    key: itemKey,
                    mutedUntil: new Date(Date.now() + mutes[span]).toISOString(),
                  })
                }
              >
                {t(`inbox.mute.${span}`)}
              </Menu.Item>
            ))}
            <Menu.Item leftSection={<IconNote size={15} stroke={1.7} />} onClick={() => setWriting(true)}>
              {t(mark?.note ? 'inbox.editNote' : 'inbox.addNote')}
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {isWriting && (
        <Suspense>
          <NoteDialog
            note={mark?.note ?? ''}
            isPending={marking.isPending}
            onSave={(note) => marking.mutate({ key: itemKey, note }, { onSuccess: () => setWriting(false) })}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      )}
    </span>
  );
}

/** Changes the mark of an item and reads the inbox again. */
function useMark() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof inbox.markItem>) => call(inbox.markItem, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
}
