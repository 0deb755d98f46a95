import { Button, SegmentedControl } from '@mantine/core';
import { readYaml } from '@millrace/engine';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import styles from './MergeDialog.module.css';
import {
  conflictsIn,
  type MergeChoice,
  type MergeDecision,
  type MergePart,
  merge3,
  mergedText,
} from './merge3.ts';
import { RevisionDiff } from './RevisionDiff.tsx';

interface MergeDialogProps {
  /** The text that both were made from; undefined when its revision was deleted. */
  readonly base: string | undefined;
  readonly mine: string;
  readonly theirs: MergeDecision['theirs'];
  /** The revision that `mine` is based on. */
  readonly revision: number;
  readonly isOnlyMerge: boolean;
  onDecide(decision: MergeDecision | undefined): void;
}

/** Shows what a merge of two texts would be, lets the user settle conflicts, and still offers to overwrite. */
export function MergeDialog(props: MergeDialogProps) {
  const { base, mine, theirs, revision, isOnlyMerge, onDecide } = props;
  const { t } = useTranslation();
  const parts = useMemo(
    () => (base === undefined ? undefined : merge3(base, mine, theirs.source)),
    [base, mine, theirs.source],
  );
  const [choices, setChoices] = useState<readonly MergeChoice[]>([]);
  const count = parts ? conflictsIn(parts) : 0;
  const result = useMemo(() => parts && mergedText(parts, choices), [parts, choices]);
  const isBroken = result !== undefined && 'problem' in readYaml(result);
  const latest = theirs.revision;
  return (
    <Dialog onClose={() => onDecide(undefined)} title={t('flow.outdatedTitle')} size="xl">
      {parts && result !== undefined ? (
        <>
          <p className={styles.text}>{t('revisions.mergeText', { latest, revision })}</p>
          <p className={styles.text} data-tone={count > 0 ? 'warning' : 'good'}>
            {count > 0 ? t('revisions.conflicts', { count }) : t('revisions.mergeClean')}
          </p>
          {conflictsOf(parts).map((conflict, index) => (
            <Conflict
              // biome-ignore lint/suspicious/noArrayIndexKey: the conflicts of two texts never move.
              key={index}
              number={index + 1}
              conflict={conflict}
              choice={choices[index] ?? 'mine'}
              onChoose={(choice) =>
                setChoices(
                  Array.from({ length: count }, (_, at) => (at === index ? choice : (choices[at] ?? 'mine'))),
                )
              }
            />
          ))}
          <h3 className={styles.heading}>{t('revisions.result', { latest })}</h3>
          <RevisionDiff before={theirs.source} after={result} view="inline" isPreview />
          {isBroken && (
            <p className={styles.text} data-tone="warning" role="alert">
              {t('revisions.mergeBroken')}
            </p>
          )}
        </>
      ) : (
        <p className={styles.text}>{t('flow.outdatedText', { latest, revision })}</p>
      )}
      <div className={styles.foot}>
        <Button variant="default" onClick={() => onDecide(undefined)}>
          {t('action.cancel')}
        </Button>
        {!isOnlyMerge && (
          <Button variant="default" color="red" onClick={() => onDecide({ theirs })}>
            {t('flow.overwrite')}
          </Button>
        )}
        {result !== undefined && (
          <Button disabled={isBroken} data-autofocus onClick={() => onDecide({ theirs, merged: result })}>
            {t(isOnlyMerge ? 'revisions.merge' : 'revisions.mergeSave')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

type ConflictPart = Extract<MergePart, { kind: 'conflict' }>;

const conflictsOf = (parts: readonly MergePart[]): ConflictPart[] =>
  parts.filter((part) => part.kind === 'conflict');

interface ConflictProps {
  readonly number: number;
  readonly conflict: ConflictPart;
  readonly choice: MergeChoice;
  onChoose(choice: MergeChoice): void;
}

const choices: readonly MergeChoice[] = ['mine', 'theirs', 'both'];

function Conflict({ number, conflict, choice, onChoose }: ConflictProps) {
  const { t } = useTranslation();
  const name = t('revisions.conflictNumber', { number });
  return (
    <section className={styles.conflict} aria-label={name}>
      <header className={styles.head}>
        <span>{name}</span>
        <SegmentedControl<MergeChoice>
          size="xs"
          aria-label={name}
          data={choices.map((value) => ({ value, label: t(`revisions.${value}`) }))}
          value={choice}
          onChange={onChoose}
        />
      </header>
      <div className={styles.sides}>
        {(['mine', 'theirs'] as const).map((side) => (
          <div
            key={side}
            data-chosen={choice === side || choice === 'both' || undefined}
            className={styles.side}
          >
            <span className={styles.name}>{t(`revisions.${side}`)}</span>
            <pre className={styles.lines}>{conflict[side].join('\n') || ' '}</pre>
          </div>
        ))}
      </div>
    </section>
  );
}
