import type { FlowGraph } from '@millrace/contract';
import { keepPreviousData, type QueryFunctionContext, type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showTitledError } from '../../shell/toasts.ts';

interface GraphSource {
  readonly queryKey: QueryKey;
  /** Asks for the graph with these subflows drawn open: the ids of their nodes, joined by commas. */
  draw(subflows: string | undefined, context: QueryFunctionContext): Promise<FlowGraph>;
}

/**
 * A graph whose subflows can be opened in their place. One that cannot be opened stays as it was, and the server says
 * why.
 */
export function useSubflowGraph({ queryKey, draw }: GraphSource) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<readonly string[]>([]);
  const isOpened = open.length > 0;
  const base = useQuery({ queryKey, queryFn: (context) => draw(undefined, context) });
  const opened = useQuery({
    queryKey: [...queryKey, 'subflows', open.join(',')],
    queryFn: (context) => draw(open.join(','), context),
    enabled: isOpened,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const refuse = useEffectEvent((error: Error) => {
    showTitledError(error, t('topology.expandFailed'));
    setOpen(open.slice(0, -1));
  });
  const { error } = opened;
  useEffect(() => {
    if (error) refuse(error);
  }, [error]);
  const subflows = useMemo(
    () => ({
      expand: (uid: string) => setOpen((known) => [...known, uid]),
      // What was open inside is gone with it.
      collapse: (uid: string) =>
        setOpen((known) => known.filter((one) => one !== uid && !one.startsWith(`${uid}.`))),
    }),
    [],
  );
  return { graph: (isOpened ? opened.data : undefined) ?? base.data, error: base.error, subflows };
}
