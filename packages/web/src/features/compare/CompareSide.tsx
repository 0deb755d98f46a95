import { Select } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openTime } from '../../format/openTime.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateAgo, StatePill, TimeOpen } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import styles from './ComparePage.module.css';
import { choicesQuery } from './queries.ts';

interface CompareSideProps {
  label: string;
  id: string | undefined;
  query: { data: Execution | undefined; error: Error | null };
  /** Whose executions are offered first. */
  flow: Execution | undefined;
  onChoose: (id: string) => void;
}

/** One side of a comparison: which execution it is, how it ended, and the way to another one. */
export function CompareSide({ label, id, query, flow, onChoose }: CompareSideProps) {
  const { t } = useTranslation();
  const { data: execution, error } = query;
  return (
    <section className={styles.side} aria-label={label}>
      <div className={styles.sideHead}>
        <span className={styles.sideLabel}>{label}</span>
        <ExecutionSelect label={label} id={id} flow={flow} onChoose={onChoose} />
      </div>
      {execution && (
        <div className={styles.sideFacts}>
          <StatePill state={execution.state.current} size="sm" />
          <ExecutionLink {...execution}>
            <code>{execution.id.slice(0, 8)}</code>
          </ExecutionLink>
          <TimeOpen time={openTime(execution.state)} />
          <span className={styles.quiet}>
            <DateAgo value={execution.state.startDate} />
          </span>
          <FlowLink namespace={execution.namespace} id={execution.flowId} />
          <span className={styles.quiet}>
            {execution.flowRevision < 0
              ? t('fork.draft')
              : t('revision.name', { revision: execution.flowRevision })}
          </span>
        </div>
      )}
      {!execution && error && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
    </section>
  );
}

type SelectProps = Pick<CompareSideProps, 'label' | 'id' | 'flow' | 'onChoose'>;

/** The latest executions of the flow; the id of any other can be typed or pasted. */
function ExecutionSelect({ label, id, flow, onChoose }: SelectProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const of = flow && { namespace: flow.namespace, flowId: flow.flowId };
  const words = typed === id ? '' : typed.trim();
  const { data: found = [], isFetching } = useQuery({ ...choicesQuery(of, words), enabled: isOpen });
  const byId = new Map(found.map((execution) => [execution.id, execution]));
  // Options offered before the results arrive stay first: a key pressed meanwhile takes the option that it marked.
  const first = words === '' ? id : words.length >= 8 ? words : undefined;
  return (
    <Select
      className={styles.select ?? ''}
      size="xs"
      searchable
      aria-label={label}
      placeholder={t('compare.pick')}
      nothingFoundMessage={t(isFetching ? 'compare.searching' : 'compare.noneFound')}
      data={[...new Set([...(first === undefined ? [] : [first]), ...byId.keys()])]}
      // The server has searched already, in more than the id.
      filter={({ options }) => options}
      value={id ?? null}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onChange={(value) => value !== null && onChoose(value)}
      allowDeselect={false}
      comboboxProps={{ width: 420, position: 'bottom-start' }}
      renderOption={({ option }) => <Choice id={option.value} execution={byId.get(option.value)} />}
    />
  );
}

function Choice({ id, execution }: { id: string; execution: Execution | undefined }) {
  return (
    <span className={styles.choice}>
      <code>{execution ? id.slice(0, 8) : id}</code>
      {execution && (
        <>
          <StatePill state={execution.state.current} size="sm" still />
          <span className={styles.quiet}>
            <DateAgo value={execution.state.startDate} />
          </span>
          <TimeOpen time={openTime(execution.state)} />
        </>
      )}
    </span>
  );
}
