import { ActionIcon } from '@mantine/core';
import { sessions } from '@millrace/contract';
import { IconLogout } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { forgetSignIn } from '../api/session.ts';
import { useStored } from '../storage/storage.ts';
import { Hint } from '../ui/Hint.tsx';
import { mayLeaveUnsaved, suspendUnsavedGuards } from './useUnsavedGuard.ts';

/** Only while somebody is signed in. What they have seen must not stay behind for the next. */
export function SignOut() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useStored('signedIn');
  if (!user) return null;
  const signOut = async () => {
    // Asked before the session is gone: whoever stays can still save.
    if (!(await mayLeaveUnsaved())) return;
    await call(sessions.logout, {});
    forgetSignIn();
    suspendUnsavedGuards();
    await navigate({ to: '/{-$tenant}/login', search: {} });
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'configuration' });
  };
  return (
    <Hint label={t('login.out', { user })} position="left">
      <ActionIcon size={34} onClick={() => void signOut()} aria-label={t('login.out', { user })}>
        <IconLogout size={18} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}
