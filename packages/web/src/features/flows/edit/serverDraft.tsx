import { Button } from '@mantine/core';
import type { flowDrafts } from '@millrace/contract';
import { IconCloudCheck, IconCloudOff, IconCloudUp, IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import noteClasses from '../../../ui/DraftNote.module.css';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo } from '../../../ui/index.ts';
import { draftRevisionsQuery } from '../drafts.ts';
import type { FlowKey } from '../queries.ts';
import styles from './serverDraft.module.css';
import type { DraftState as State } from './useServerDraft.ts';

const icons = {
  browser: IconDeviceDesktop,
  saving: IconCloudUp,
  server: IconCloudCheck,
  offline: IconCloudOff,
} as const;

/** Says where the unsaved changes are safe. */
export function DraftState({ state, isConflict }: { state: State; isConflict: boolean }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <Hint label={t(`draftState.${state}Hint`)} multiline maw={300}>
      <span className={styles.state} data-conflict={isConflict || undefined} role="status">
        <Icon size={15} stroke={1.7} aria-hidden="true" />
        <span className={styles.text}>{t(isConflict ? 'draftState.conflict' : `draftState.${state}`)}</span>
      </span>
    </Hint>
  );
}

interface OfferedDraftProps {
  readonly flow: FlowKey;
  /** The text in the editor. */
  readonly source: string;
  /** The draft that a link opens at once. */
  readonly wanted: string | undefined;
  onOpen(draft: flowDrafts.DraftRevision): void;
}

/** Offers the newest draft that someone saved for this flow. */
export function OfferedDraft({ flow, source, wanted, onOpen }: OfferedDraftProps) {
  const { t } = useTranslation();
  const { data: drafts = [] } = useQuery(draftRevisionsQuery(flow));
  const [isHidden, setHidden] = useState(false);
  const asked = drafts.find(({ id }) => id === wanted);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (asked) open(asked);
  }, [asked]);
  const [draft] = drafts;
  if (!draft || isHidden || asked || draft.source === source) return null;
  return (
    <div className={noteClasses.note} role="status">
      <span>
        {t('draftRevision.found')} {draft.message && <q>{draft.message}</q>}{' '}
        {draft.author && t('draftRevision.by', { author: draft.author })} <DateAgo value={draft.updated} />
      </span>
      <span className={noteClasses.actions}>
        <Button size="compact-sm" variant="default" onClick={() => onOpen(draft)}>
          {t('draftRevision.open')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setHidden(true)}>
          {t('action.close')}
        </Button>
      </span>
    </div>
  );
}
