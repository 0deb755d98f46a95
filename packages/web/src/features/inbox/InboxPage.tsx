import { Switch } from '@mantine/core';
import type { Inbox } from '@millrace/contract';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, EmptyState, KeyHint, LinkButton, Loading, Page } from '../../ui/index.ts';
import { NamespaceSelect } from '../flows/index.ts';
import { FailureRow } from './FailureRow.tsx';
import styles from './inbox.module.css';
import { inboxQuery } from './queries.ts';
import { WaitingRow } from './WaitingRow.tsx';

/** What needs an operator: failures by cause, pauses to decide on, and whatever is late, slow or waiting. */
export function InboxPage() {
  const { t } = useTranslation();
  const { namespace, hidden } = useSearch({ from: '/{-$tenant}/inbox' });
  const navigate = useNavigate({ from: '/{-$tenant}/inbox' });
  const query = useQuery(inboxQuery({ namespace, hidden: hidden === 'true' }));
  const { data, error, refetch } = query;
  return (
    <Page
      title={t('nav.inbox')}
      actions={
        <LinkButton
          to="/{-$tenant}/alerts/{-$tab}"
          params={{}}
          search={{}}
          variant="default"
          leftSection={<IconBell size={16} />}
        >
          {t('nav.alerts')}
        </LinkButton>
      }
    >
      <div className={styles.filters}>
        <NamespaceSelect
          value={namespace}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, namespace: next }) })}
        />
        {((data?.hidden ?? 0) > 0 || hidden === 'true') && (
          <Switch
            label={t('inbox.showHidden', { count: data?.hidden ?? 0 })}
            checked={hidden === 'true'}
            onChange={({ currentTarget: { checked } }) =>
              void navigate({ search: (old) => ({ ...old, hidden: checked ? 'true' : undefined }) })
            }
          />
        )}
      </div>
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && <Items inbox={data} />}
    </Page>
  );
}

const kinds = ['approval', 'late', 'missed', 'long', 'queue', 'token', 'secret'] as const;

function Items({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  /** The position of the row that was acknowledged: the row that takes its place gets the focus. */
  const acknowledged = useRef<number>(undefined);
  useEffect(() => {
    const press = (event: KeyboardEvent) => moveByKey(event, list.current);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items replace the rows.
  useEffect(() => {
    const rows = rowsIn(list.current);
    if (acknowledged.current === undefined || document.activeElement !== document.body) return;
    rows[Math.min(acknowledged.current, rows.length - 1)]?.focus();
    acknowledged.current = undefined;
  }, [inbox]);
  const noteRow = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('[data-acknowledge]') === null) return;
    acknowledged.current = rowsIn(list.current).findIndex((row) => row.contains(target));
  };
  if (inbox.failures.length + inbox.items.length === 0)
    return <EmptyState illustration="stillWater" title={t('inbox.none')} text={t('inbox.noneText')} />;
  const [approvals, ...others] = kinds.map((kind) => ({
    kind,
    items: inbox.items.filter((item) => item.kind === kind),
  }));
  const sectionOf = ({ kind, items }: (typeof others)[number]) =>
    items.length > 0 && (
      <Section key={kind} title={t(`inbox.kind.${kind}`)} count={items.length}>
        {items.map((item) => (
          <WaitingRow key={item.key} item={item} />
        ))}
      </Section>
    );
  return (
    <div ref={list} className={styles.sections} onClickCapture={noteRow}>
      {approvals && sectionOf(approvals)}
      {inbox.failures.length > 0 && (
        <Section title={t('inbox.failures')} count={inbox.failures.length}>
          {inbox.failures.map((failure) => (
            <FailureRow key={failure.key} failure={failure} />
          ))}
        </Section>
      )}
      {others.map(sectionOf)}
      <p className={styles.keys}>
        <KeyHint keys="J" /> <KeyHint keys="K" /> {t('inbox.keys.move')} · <KeyHint keys="E" />{' '}
        {t('inbox.acknowledge')}
      </p>
    </div>
  );
}

function Section({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>
        {title} <span>{count}</span>
      </h2>
      <ul className={styles.rows}>{children}</ul>
    </section>
  );
}

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
];

/** J and K move between rows from anywhere on the page, the arrows from a row; E acknowledges the row that has the focus. */
function moveByKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="listbox"]')) return;
  const current = target.closest<HTMLElement>('[data-row]');
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step !== undefined && (current || event.key === 'j' || event.key === 'k')) {
    const rows = rowsIn(list);
    rows[current ? rows.indexOf(current) + step : 0]?.focus();
    event.preventDefault();
  } else if (event.key === 'e') {
    current?.querySelector<HTMLElement>('[data-acknowledge]')?.click();
  }
}
