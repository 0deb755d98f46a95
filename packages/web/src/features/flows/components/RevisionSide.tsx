import { ActionIcon, Button, Drawer, Select } from '@mantine/core';
import type { FlowWithSource } from '@millrace/contract';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../../ui/Hint.tsx';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import styles from './FlowRevisions.module.css';

interface RevisionSideProps {
  label: string;
  options: { value: string; label: string }[];
  revision: FlowWithSource;
  onChoose: (revision: number) => void;
  canRestore: boolean;
  isRestoring: boolean;
  onRestore: () => void;
}

/** One side of a comparison: which revision it is, the whole of it, and the way back to it. */
export function RevisionSide(props: RevisionSideProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { revision, source } = props.revision;
  const show = t('revision.full', { revision });
  return (
    <div className={styles.side}>
      <Select
        w={180}
        data={props.options}
        value={String(revision)}
        onChange={(value) => props.onChoose(Number(value))}
        allowDeselect={false}
        aria-label={props.label}
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
      {isOpen && (
        <Drawer
          opened
          onClose={() => setOpen(false)}
          position="right"
          size="xl"
          title={t('revision.name', { revision })}
          closeButtonProps={{ 'aria-label': t('action.close') }}
        >
          <CodeBlock>
            <code className="language-yaml">{source}</code>
          </CodeBlock>
        </Drawer>
      )}
    </div>
  );
}
