import { text } from '@millrace/plugin-kit';
import { clusterProperties } from '../pod/podProperties.ts';

/** The properties of a task on resources of one kind. */
export const resourceProperties = {
  ...clusterProperties,
  resourceType: text().describe(
    'The kind of the resources: its plural, singular, short name or kind, such as `deployments`.',
  ),
  apiGroup: text()
    .optional()
    .describe(
      'The API group, such as `apps`; the core resources and then all groups are searched when absent.',
    ),
  apiVersion: text()
    .optional()
    .describe('The version of the API; the one that the cluster prefers when absent.'),
};
