import { Switch } from '@mantine/core';
import type { Inbox } from '@millrace/contract';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
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
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between rows, which are buttons and links themselves.
    <div ref={list} className={styles.sections} onKeyDown={(event) => moveByKey(event, list.current)}>
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

/** J and K (and the arrows) move between rows, E acknowledges the row that has the focus. */
function moveByKey(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, textarea, [role="menuitem"]')) return;
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const current = event.target.closest<HTMLElement>('[data-row]');
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    const next = rows[(current ? rows.indexOf(current) : -1) + step];
    next?.focus();
    event.preventDefault();
  } else if (event.key === 'e') {
    current?.querySelector<HTMLElement>('[data-acknowledge]')?.click();
  }
}
