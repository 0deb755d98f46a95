import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type DailyExecutionStatistics, product, type ReplyOf, sessions } from '@millrace/contract';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { basePath, currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import { BrokenPart, Loading } from '../../ui/index.ts';
import styles from './UsageTab.module.css';

/** How much the instance is used, with links to what is counted. */
export function UsageTab() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', currentTenant()],
    queryFn: ({ signal }) => call(product.getUsage, { signal }),
  });
  return (
    <>
      <EnableAuthentication />
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && (
        <dl className={styles.figures}>
          {figuresOf(data).map(({ name, value, link }) => (
            <div key={name} className={styles.figure}>
              <dt>{link ? <Link {...link}>{t(`usage.${name}`)}</Link> : t(`usage.${name}`)}</dt>
              <dd>{formatNumber(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

interface Figure {
  name: 'namespaces' | 'flows' | 'tasks' | 'triggers' | 'executions' | 'taskRuns' | 'minutes';
  value: number;
  link?: LinkProps;
}

function figuresOf({ flows, executions }: ReplyOf<typeof product.getUsage>): Figure[] {
  const { dailyExecutionsCount, dailyTaskRunsCount } = executions;
  return [
    {
      name: 'namespaces',
      value: flows.namespacesCount,
      link: linkOptions({ to: '/{-$tenant}/namespaces', search: {} }),
    },
    { name: 'flows', value: flows.count, link: linkOptions({ to: '/{-$tenant}/flows', search: {} }) },
    { name: 'tasks', value: sum(Object.values(flows.taskTypeCount)) },
    {
      name: 'triggers',
      value: sum(Object.values(flows.triggerTypeCount)),
      link: linkOptions({ to: '/{-$tenant}/admin/triggers', search: {} }),
    },
    {
      name: 'executions',
      value: countOf(dailyExecutionsCount),
      link: linkOptions({ to: '/{-$tenant}/executions', search: { timeRange: 'PT48H' } }),
    },
    ...(dailyTaskRunsCount
      ? [
          {
            name: 'taskRuns' as const,
            value: countOf(dailyTaskRunsCount),
            link: linkOptions({ to: '/{-$tenant}/taskruns', search: { timeRange: 'PT48H' } }),
          },
        ]
      : []),
    { name: 'minutes', value: minutesOf(dailyExecutionsCount) },
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const countOf = (days: readonly DailyExecutionStatistics[]): number =>
  sum(days.flatMap(({ executionCounts }) => Object.values(executionCounts)));

/** Whole minutes of all durations together, not the minutes' part of them. */
const minutesOf = (days: readonly DailyExecutionStatistics[]): number =>
  Math.round(sum(days.map(({ duration }) => parseIsoDuration(duration.sum ?? 'PT0S') ?? 0)) / 60_000);

/** On a server without authentication: how to enable it. */
function EnableAuthentication() {
  const { t } = useTranslation();
  const { isBasicAuthEnabled } = useConfiguration();
  const [isOpen, setOpen] = useState(false);
  if (isBasicAuthEnabled) return null;
  return (
    <section className={styles.note}>
      <IconShieldLock size={28} stroke={1.5} aria-hidden="true" />
      <div className={styles.words}>
        <h2>{t('securityReminder.title')}</h2>
        <p>{t('securityReminder.text')}</p>
      </div>
      <Button onClick={() => setOpen(true)}>{t('securityReminder.enable')}</Button>
      {isOpen && <CredentialsDialog onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Asks for the email and the password that everybody needs from now on. */
function CredentialsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const save = useMutation({
    mutationFn: () => call(sessions.saveBasicAuth, { body: { username, password }, failures: 'handled' }),
    // Everything that was loaded was loaded without a name: begin again, and sign in.
    onSuccess: () => window.location.assign(`${basePath()}/login`),
  });
  const tooLong = (value: string, message: string) => value.length > sessions.maxCredentialLength && message;
  const problems = {
    username:
      tooLong(username, t('login.emailTooLong')) ||
      (username !== '' &&
        !sessions.BasicAuth.shape.username.safeParse(username).success &&
        t('form.invalidField', { field: t('login.email') })),
    password:
      tooLong(password, t('login.passwordTooLong')) ||
      (password !== '' &&
        !sessions.NewPassword.safeParse(password).success &&
        t('auth.passwordTooShort', { length: sessions.minPasswordLength })),
    repeated: repeated !== '' && repeated !== password && t('auth.different'),
  };
  const isWhole = username !== '' && password !== '' && repeated === password;
  return (
    <ActionDialog
      title={t('securityReminder.enable')}
      confirm={t('auth.save')}
      canConfirm={isWhole && !problems.username && !problems.password}
      isPending={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('login.email')}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        error={problems.username}
        type="email"
        autoComplete="username"
        data-autofocus
        required
      />
      <PasswordInput
        label={t('login.password')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problems.password}
        autoComplete="new-password"
        required
      />
      <PasswordInput
        label={t('auth.repeat')}
        value={repeated}
        onChange={(event) => setRepeated(event.currentTarget.value)}
        error={problems.repeated}
        autoComplete="new-password"
        required
      />
    </ActionDialog>
  );
}
