import { plugins } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/index.ts';
import { loadMonaco } from '../../ui/code/index.ts';

/** The name every flow text has in the editor; the schema is matched by its ending. */
export const FLOW_PATH = 'flow.flow.yaml';

/** Gives the editor the server's schema of flows: completion, hover and validation follow from it. */
export function useFlowSchema(): void {
  const { data } = useQuery({
    queryKey: ['schema', 'flow'],
    queryFn: ({ signal }) =>
      call(plugins.getFlowSchema, { params: { type: 'flow' }, signal, failures: 'handled' }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    loadMonaco().then(
      ({ setYamlSchema }) =>
        setYamlSchema({ uri: 'inmemory://schema/flow.json', fileMatch: ['**/*.flow.yaml'], schema: data }),
      () => {}, // The editor itself says that it could not be loaded.
    );
  }, [data]);
}
