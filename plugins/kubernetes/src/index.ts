import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { apply } from './kubectl/apply.ts';
import { deleteTask, patch, restart } from './kubectl/change.ts';
import { get } from './kubectl/get.ts';
import { podCreate } from './pod/podCreate.ts';
import { kubernetesRunner } from './runner.ts';

const hexagon = 'M12 3l8 4v10l-8 4-8-4V7z';
const group = (name: string, title: string, description: string, ...paths: string[]) => ({
  group: name,
  title,
  description,
  icon: lineIcon(hexagon, ...paths),
  categories: ['INFRASTRUCTURE'],
});

/** Pods and resources of Kubernetes clusters, and a runner for scripts. */
export const kubernetesFamily: Family = {
  name: 'kubernetes',
  groups: [
    group(
      'kubernetes',
      'Kubernetes',
      'Run pods and manage the resources of a cluster.',
      'M12 8v8',
      'M8 12h8',
    ),
    group('kubernetes.core', 'Kubernetes pods', 'Run pods in a cluster.', 'M9 9h6v6H9z'),
    group(
      'kubernetes.kubectl',
      'Kubernetes resources',
      'Manage the resources of a cluster.',
      'M8 10l3 2-3 2',
      'M13 14h3',
    ),
    group('kubernetes.runner', 'Kubernetes task runner', 'Run scripts in pods.', 'M12 9v6', 'M9 10.500l6 3'),
  ],
  types: [podCreate, apply, deleteTask, get, patch, restart, kubernetesRunner],
};
