import { ActionIcon, Button, Select } from '@mantine/core';
import type { FlowRevision } from '@millrace/contract';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { SideDialog } from '../../../ui/dialog/Dialog.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo } from '../../../ui/index.ts';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import styles from './FlowRevisions.module.css';

interface RevisionSideProps {
  readonly label: string;
  readonly revisions: readonly FlowRevision[];
  /** The number of the latest revision. */
  readonly current: number;
  readonly revision: FlowRevision;
  onChoose(revision: number): void;
  readonly canRestore: boolean;
  readonly isRestoring: boolean;
  onRestore(): void;
}

/** One side of a comparison: which revision it is, who saved it when and why, and the way back to it. */
export function RevisionSide(props: RevisionSideProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { revisions, current } = props;
  const { revision, source } = props.revision;
  const show = t('revision.full', { revision });
  const nameOf = (number: number) =>
    number === current
      ? t('revision.current', { revision: number })
      : t('revision.name', { revision: number });
  return (
    <div className={styles.sideBox}>
      <div className={styles.side}>
        <Select
          w={200}
          comboboxProps={{ width: 320, position: 'bottom-start' }}
          data={revisions.map((one) => ({ value: String(one.revision), label: nameOf(one.revision) }))}
          value={String(revision)}
          onChange={(value) => props.onChoose(Number(value))}
          allowDeselect={false}
          aria-label={props.label}
          renderOption={({ option }) => {
            const one = revisions.find((each) => String(each.revision) === option.value);
            return (
              <span className={styles.option}>
                <span>{option.label}</span>
                {one && <Facts revision={one} />}
              </span>
            );
          }}
        />
        <Hint label={show}>
          <ActionIcon variant="default" size={34} aria-label={show} onClick={() => setOpen(true)}>
            <IconFileText size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
        <Button
          variant="default"
          onClick={props.onRestore}
          loading={props.isRestoring}
          disabled={!props.canRestore}
          aria-label={t('revision.restore', { revision })}
        >
          {t('revision.restoreName')}
        </Button>
      </div>
      <Facts revision={props.revision} />
      {isOpen && (
        <SideDialog onClose={() => setOpen(false)} size="xl" title={t('revision.name', { revision })}>
          <CodeBlock>
            <code className="language-yaml">{source}</code>
          </CodeBlock>
        </SideDialog>
      )}
    </div>
  );
}

/** When, by whom and why, as far as it is known. */
function Facts({ revision: { updated, author, message } }: { revision: FlowRevision }) {
  if (updated === undefined && author === undefined) return null;
  return (
    <span className={styles.facts}>
      <span className={styles.when}>
        {updated !== undefined && <DateAgo value={updated} />}
        {author !== undefined && <span>{author}</span>}
      </span>
      {message !== undefined && <span className={styles.message}>{message}</span>}
    </span>
  );
}
