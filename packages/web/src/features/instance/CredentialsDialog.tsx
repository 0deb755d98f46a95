import { PasswordInput, TextInput } from '@mantine/core';
import { sessions } from '@millrace/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { basePath } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';

/** Asks for the email and the password that everybody needs from now on. */
export function CredentialsDialog({ onClose }: { onClose: () => void }) {
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
