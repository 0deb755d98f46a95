import { sessions } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { call } from '../../../api/call.ts';
import { ErrorPage } from '../../../shell/ErrorPage.tsx';
import { safeReturn } from '../safeReturn.ts';

/**
 * The address of the login page on a server that asks for no password: whoever opens it goes on to where they wanted
 * to be. Unless something in front of the server asks for credentials that the server does not know itself.
 */
export function NobodyToSignIn() {
  const { from } = useSearch({ from: '/{-$tenant}/login' });
  const { data, isError, isFetchedAfterMount } = useQuery({
    queryKey: ['session', 'wayBack', from],
    queryFn: ({ signal }) => findWayBack(from, signal),
    refetchOnMount: 'always',
    retry: false,
  });
  // What an earlier visit found is no answer to this one.
  if (!isFetchedAfterMount) return null;
  if (isError) return <ErrorPage code={401} />;
  return data === undefined ? null : <Navigate href={data} replace />;
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
