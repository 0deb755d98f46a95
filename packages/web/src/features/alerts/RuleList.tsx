import { Button, Switch } from '@mantine/core';
import { type AlertRule, type AlertRuleView, alerts } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Suspense, useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { formatDuration, parseIsoDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { type Column, DataTable, EmptyState } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import styles from './alerts.module.css';
import { channelsQuery, rulesQuery } from './queries.ts';

const RuleForm = lazyPart(() => import('./RuleForm.tsx'), 'RuleForm');

interface RuleListProps {
  onCreate: () => void;
  onCreateChannel: () => void;
}

export function RuleList({ onCreate, onCreateChannel }: RuleListProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(rulesQuery());
  const { data: channels } = useQuery(channelsQuery());
  const [edited, edit] = useState<AlertRule>();
  const columns = useMemo(() => ruleColumns(t, edit), [t]);
  const hasChannels = (channels?.results.length ?? 0) > 0;
  return (
    <>
      <DataTable
        label={t('alerts.tab.rules')}
        columns={columns}
        visibility={{}}
        rows={data?.results}
        rowId={({ rule }) => rule.id}
        isDimmed={({ rule }) => !rule.enabled}
        onOpen={({ rule }) => edit(rule)}
        error={error}
        onRetry={() => void refetch()}
        skeletonRows={4}
        empty={
          <EmptyState
            illustration="wheel"
            title={t('alerts.noRules')}
            text={t(hasChannels ? 'alerts.noRulesText' : 'alerts.noChannelsText')}
            action={
              hasChannels ? (
                <Button onClick={onCreate}>{t('alerts.newRule')}</Button>
              ) : (
                <Button onClick={onCreateChannel}>{t('alerts.newChannel')}</Button>
              )
            }
          />
        }
      />
      {edited && (
        <Suspense>
          <RuleForm rule={edited} onClose={() => edit(undefined)} />
        </Suspense>
      )}
    </>
  );
}

const ruleColumns = (t: TFunction, edit: (rule: AlertRule) => void): Column<AlertRuleView>[] => [
  {
    id: 'id',
    header: t('alerts.rule'),
    cell: ({ rule }) => (
      <span className={styles.stacked}>
        <button type="button" className={styles.name} onClick={() => edit(rule)}>
          {rule.id}
        </button>
        {rule.description && <small>{rule.description}</small>}
      </span>
    ),
    identifies: true,
  },
  {
    id: 'when',
    header: t('alerts.when'),
    cell: ({ rule }) => (
      <span className={styles.stacked}>
        <span>{describeCondition(rule, t)}</span>
        <small>{describeScope(rule, t)}</small>
      </span>
    ),
    hideBelow: 'sm',
    width: '38%',
  },
  {
    id: 'channels',
    header: t('alerts.tab.channels'),
    cell: ({ rule }) => rule.channels.join(', '),
    hideBelow: 'md',
    width: '18%',
  },
  {
    id: 'open',
    header: t('alerts.openIncidents'),
    cell: ({ openIncidents }) =>
      openIncidents > 0 ? <strong className={styles.bad}>{openIncidents}</strong> : '–',
    width: 90,
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'enabled',
    header: t('alerts.enabled'),
    cell: ({ rule }) => <RuleSwitch rule={rule} />,
    width: 90,
    identifies: true,
    hidesHeader: true,
  },
];

function RuleSwitch({ rule }: { rule: AlertRule }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (enabled: boolean) =>
      call(alerts.saveRule, { params: { id: rule.id }, body: { ...rule, enabled } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
  return (
    <Switch
      aria-label={`${t('alerts.enabled')}: ${rule.id}`}
      checked={saving.variables !== undefined && saving.isPending ? saving.variables : rule.enabled}
      onChange={({ currentTarget: { checked } }) => saving.mutate(checked)}
    />
  );
}

/** The condition of a rule in one sentence. */
export function describeCondition({ when }: AlertRule, t: TFunction): string {
  const time = (text: string) => formatDuration(parseIsoDuration(text) ?? 0);
  switch (when.type) {
    case 'state':
      return t('alerts.says.state', { states: when.states.map((state) => t(`state.${state}`)).join(', ') });
    case 'sla':
      return t('alerts.says.sla');
    case 'late':
      return t('alerts.says.late', { time: time(when.after) });
    case 'duration':
      return t('alerts.says.duration', { factor: when.factor });
    case 'failureRate':
      return t('alerts.says.failureRate', { percent: when.percent, time: time(when.window) });
    case 'noRun':
      return t('alerts.says.noRun', { time: time(when.for) });
  }
}

function describeScope({ namespace, flowId }: AlertRule, t: TFunction): string {
  if (namespace === undefined) return t('alerts.everywhere');
  return flowId === undefined ? namespace : `${namespace}.${flowId}`;
}
