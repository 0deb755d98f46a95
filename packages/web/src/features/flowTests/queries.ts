import { flowTests, type TestSuiteResult } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/index.ts';
import { currentTenant } from '../../api/tenant.ts';

export interface FlowName {
  readonly namespace: string;
  readonly id: string;
}

const maxShown = 200;

export const suitesQuery = ({ namespace, id }: FlowName) =>
  queryOptions({
    queryKey: ['tests', currentTenant(), namespace, id],
    queryFn: ({ signal }) =>
      call(flowTests.listTestSuites, { query: { namespace, flowId: id, size: maxShown }, signal }),
  });

/** The source of a suite that expects what an execution did. */
export const recordedQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['recordedTest', currentTenant(), executionId],
    queryFn: ({ signal }) =>
      call(flowTests.recordTestSuite, { body: { executionId }, signal, failures: 'handled' }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export function useSaveSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ source, key }: { source: string; key: FlowName | undefined }) =>
      key
        ? call(flowTests.updateTestSuite, { params: { ...key }, body: source, failures: 'handled' })
        : call(flowTests.createTestSuite, { body: source, failures: 'handled' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tests'] }),
  });
}

export function useDeleteSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: FlowName) => call(flowTests.deleteTestSuite, { params: { ...key } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tests'] }),
  });
}

/** Runs one suite, all of a flow, or all of a namespace. */
export function useRunSuites() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (scope: {
      suite?: FlowName;
      namespace?: string;
      flowId?: string;
    }): Promise<TestSuiteResult[]> =>
      scope.suite
        ? [await call(flowTests.runTestSuite, { params: { ...scope.suite } })]
        : (
            await call(flowTests.runTestSuites, {
              body: {
                ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
                ...(scope.flowId === undefined ? {} : { flowId: scope.flowId }),
              },
            })
          ).results,
    onSuccess: () => client.invalidateQueries({ queryKey: ['tests'] }),
  });
}
