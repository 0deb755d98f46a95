import { Button, PasswordInput, TextInput } from '@mantine/core';
import { sessions } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { call } from '../../api/call.ts';
import { rememberSignIn } from '../../api/session.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { ErrorPage } from '../../shell/ErrorPage.tsx';
import { Logo } from '../../shell/Logo.tsx';
import { resumeUnsavedGuards } from '../../shell/useUnsavedGuard.ts';
import styles from './LoginPage.module.css';

export function LoginPage() {
  const { t } = useTranslation();
  const { isBasicAuthEnabled } = useConfiguration();
  const { expired } = useSearch({ from: '/{-$tenant}/login' });
  useEffect(() => {
    document.title = `${t('login.title')} | ${t('product')}`;
  }, [t]);
  useEffect(resumeUnsavedGuards, []);

  if (!isBasicAuthEnabled) return <RedirectWithoutLogin />;
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo size={40} />
          <h1>{t('login.heading')}</h1>
        </div>
        {expired && (
          <p className={styles.notice} role="status">
            {t('login.expired')}
          </p>
        )}
        <LoginForm />
      </div>
    </main>
  );
}

function LoginForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { from } = useSearch({ from: '/{-$tenant}/login' });
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => call(sessions.login, { body: { username, password }, failures: 'handled' }),
    onSuccess: async (session) => {
      rememberSignIn(session.username);
      // Requests that were refused before the login are repeated.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'configuration' });
      await navigate({ href: safeReturn(from), replace: true });
    },
  });
  const problems = {
    username: problemOf(username, t('login.email'), t('login.emailTooLong')),
    password: problemOf(password, t('login.password'), t('login.passwordTooLong')),
  };

  function problemOf(value: string, field: string, tooLong: string): string | undefined {
    if (value.length > sessions.maxCredentialLength) return tooLong;
    return value === '' && login.isError ? t('form.fieldRequired', { field }) : undefined;
  }
  const canSubmit = username !== '' && password !== '' && !problems.username && !problems.password;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canSubmit) login.mutate();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('login.email')}
        name="username"
        type="email"
        autoComplete="username"
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={problems.username}
        autoFocus
        required
      />
      <PasswordInput
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problems.password}
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
        required
      />
      {login.error && (
        <p className={styles.error} role="alert">
          {isRefused(login.error) ? t('login.incorrect') : login.error.message}
        </p>
      )}
      <Button type="submit" fullWidth loading={login.isPending} disabled={!canSubmit}>
        {t('login.submit')}
      </Button>
    </form>
  );
}

const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 401;

/**
 * The login page of a server without authentication redirects to where the user came from, unless a proxy in front of
 * the server asks for credentials that the server does not know.
 */
function RedirectWithoutLogin() {
  const { from } = useSearch({ from: '/{-$tenant}/login' });
  const navigate = useNavigate();
  const { data, isError, isFetchedAfterMount } = useQuery({
    queryKey: ['session', 'wayBack', from],
    queryFn: ({ signal }) => findReturnAddress(from, signal),
    refetchOnMount: 'always',
    retry: false,
  });
  // What an earlier visit found is no answer to this one.
  const wayBack = isFetchedAfterMount && !isError ? data : undefined;
  useEffect(() => {
    if (wayBack !== undefined) void navigate({ href: wayBack, replace: true });
  }, [wayBack, navigate]);
  return isFetchedAfterMount && isError ? <ErrorPage code={401} /> : null;
}

let sentTo: string | undefined;

/** A page that was refused although the session is valid would be refused again, so there is no second redirect to it. */
async function findReturnAddress(from: string | undefined, signal: AbortSignal): Promise<string> {
  await call(sessions.getSession, { signal, failures: 'handled' });
  const isBack = from !== undefined && from === sentTo;
  sentTo = isBack ? undefined : from;
  if (isBack) throw new Error(`The page at "${from}" is refused.`);
  return safeReturn(from);
}

/**
 * Where to go after signing in. The address comes from a query that an attacker can write into a link, so only a path of
 * this app counts: neither another host (`//evil`, `/\evil`) nor another scheme, and not the login page again.
 */
export function safeReturn(from: string | undefined): string {
  if (!from?.startsWith('/') || /^\/[/\\]/.test(from)) return '/';
  const { origin, pathname, search, hash } = new URL(from, location.origin);
  if (origin !== location.origin || /(^|\/)login$/.test(pathname)) return '/';
  return `${pathname}${search}${hash}`;
}
