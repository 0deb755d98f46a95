interface FlowOfList {
  namespace: string;
  flowId: string;
}

/**
 * What a list sends to be about one flow. A plain `namespace` also means the namespaces inside it, which may hold a
 * flow of the same id.
 */
export const ofFlow = ({ namespace, flowId }: FlowOfList) => ({
  'filters[namespace][EQUALS]': namespace,
  flowId,
});
