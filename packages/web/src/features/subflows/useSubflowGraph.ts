import type { FlowGraph } from '@millrace/contract';
import { keepPreviousData, type QueryFunctionContext, type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showTitledError } from '../../shell/toasts.ts';

interface GraphSource {
  readonly queryKey: QueryKey;
  /** Asks for the graph with these subflows drawn open: the ids of their nodes, joined by commas. */
  draw(subflows: string | undefined, context: QueryFunctionContext): Promise<FlowGraph>;
}

/** Which subflows are open, for the address of the page. */
interface OpenSubflows {
  readonly open: string | undefined;
  onOpen(subflows: string | undefined): void;
}

/**
 * A graph whose subflows can be opened in their place. One that cannot be opened stays as it was, and the server says
 * why.
 */
export function useSubflowGraph({ queryKey, draw }: GraphSource, place: OpenSubflows) {
  const { t } = useTranslation();
  const open = useMemo(() => place.open?.split(',') ?? [], [place.open]);
  const setOpen = (names: readonly string[]) => place.onOpen(names.join(',') || undefined);
  const isOpened = open.length > 0;
  const base = useQuery({ queryKey, queryFn: (context) => draw(undefined, context) });
  const opened = useQuery({
    queryKey: [...queryKey, 'subflows', place.open],
    queryFn: (context) => draw(place.open, context),
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
  // The same object all the time: every node of the graph knows it.
  const latest = useRef({ open, setOpen });
  useEffect(() => {
    latest.current = { open, setOpen };
  });
  const subflows = useMemo(
    () => ({
      expand: (uid: string) => latest.current.setOpen([...latest.current.open, uid]),
      // Subflows that were open inside are closed with it.
      collapse: (uid: string) =>
        latest.current.setOpen(
          latest.current.open.filter((one) => one !== uid && !one.startsWith(`${uid}.`)),
        ),
    }),
    [],
  );
  return { graph: (isOpened ? opened.data : undefined) ?? base.data, error: base.error, subflows };
}
