import { sessions } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../../api/call.ts';
import { ErrorPage } from '../../../shell/ErrorPage.tsx';
import { safeReturn } from '../safeReturn.ts';

/**
 * The address of the login page on a server that asks for no password: whoever opens it goes on to where they wanted
 * to be. Unless something in front of the server asks for credentials that the server does not know itself.
 */
export function NobodyToSignIn() {
  const { from } = useSearch({ from: '/{-$tenant}/login' });
  const navigate = useNavigate();
  const { data, isError, isFetchedAfterMount } = useQuery({
    queryKey: ['session', 'wayBack', from],
    queryFn: ({ signal }) => findWayBack(from, signal),
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

/** A page that was refused although the session is fine would be refused again: nobody is sent there twice. */
async function findWayBack(from: string | undefined, signal: AbortSignal): Promise<string> {
  await call(sessions.getSession, { signal, failures: 'handled' });
  const isBack = from !== undefined && from === sentTo;
  sentTo = isBack ? undefined : from;
  if (isBack) throw new Error(`The page at "${from}" is refused.`);
  return safeReturn(from);
}
