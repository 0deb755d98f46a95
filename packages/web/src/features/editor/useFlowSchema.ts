import { plugins } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/index.ts';
import { loadMonaco } from '../../ui/code/index.ts';

/** The name every flow text has in the editor; the schema is matched by its ending. */
export const FLOW_PATH = 'flow.flow.yaml';

/** The server's schema of flows. It names every type there is and changes only with the server. */
export const flowSchemaQuery = () =>
  queryOptions({
    queryKey: ['schema', 'flow'],
    queryFn: ({ signal }) =>
      call(plugins.getFlowSchema, { params: { type: 'flow' }, signal, failures: 'handled' }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Gives the code editor the schema: completion, hover and validation follow from it. */
export function useCodeSchema(schema: Record<string, unknown> | undefined): void {
  useEffect(() => {
    if (!schema) return;
    loadMonaco().then(
      ({ setYamlSchema }) =>
        setYamlSchema({ uri: 'inmemory://schema/flow.json', fileMatch: ['**/*.flow.yaml'], schema }),
      () => {}, // The editor itself says that it could not be loaded.
    );
  }, [schema]);
}
