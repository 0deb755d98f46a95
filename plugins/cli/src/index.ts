import type { Family, Group } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { ansibleCli } from './ansible/ansible.ts';
import { databricksCli, databricksSqlCli } from './databricks.ts';
import { kvmTypes } from './kvm.ts';
import { beamRunPipeline, datahubIngestion } from './pipelines.ts';
import {
  cloudquery,
  dataform,
  dlt,
  helm,
  liquibase,
  malloy,
  meltano,
  modal,
  opentofu,
  sparkCli,
  sqlmesh,
  terraform,
  terragrunt,
  trivy,
} from './programs.ts';
import { cloudquerySync, dltRun, liquibaseDiff } from './programTasks.ts';
import { advertisingTaps } from './singer/advertisingTaps.ts';
import { businessTaps } from './singer/businessTaps.ts';
import { databaseTaps } from './singer/databaseTaps.ts';
import { databaseTargets } from './singer/databaseTargets.ts';
import { genericTap, genericTarget } from './singer/define.ts';
import { fileTargets } from './singer/fileTargets.ts';
import { warehouseTargets } from './singer/warehouseTargets.ts';
import { sodaScan } from './soda/scan.ts';
import { sparkSubmits } from './spark/submit.ts';

const group = (
  name: string,
  title: string,
  category: string,
  description: string,
  ...paths: string[]
): Group => ({
  group: name,
  title,
  description,
  icon: lineIcon(...paths),
  categories: [category],
});

const groups: readonly Group[] = [
  group(
    'singer',
    'Singer',
    'DATA',
    'Read sources with taps and write to targets (deprecated).',
    'M4 6h6v12H4z',
    'M14 9h6v6h-6z',
    'M10 12h4',
  ),
  group(
    'ansible',
    'Ansible',
    'INFRASTRUCTURE',
    'Set up and change machines.',
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
    'M8 16l4-9 4 9',
    'M9.500 13l6 3',
  ),
  group(
    'terraform',
    'Terraform',
    'INFRASTRUCTURE',
    'Create infrastructure from code.',
    'M4 4l6 3v6l-6-3z',
    'M12 8l6 3v6l-6-3z',
  ),
  group(
    'opentofu',
    'OpenTofu',
    'INFRASTRUCTURE',
    'Create infrastructure from code.',
    'M4 7l8-4 8 4v10l-8 4-8-4z',
    'M4 7l8 4 8-4',
  ),
  group(
    'terragrunt',
    'Terragrunt',
    'INFRASTRUCTURE',
    'Manage many Terraform configurations.',
    'M4 5h16v5H4z',
    'M4 14h7v5H4z',
    'M13 14h7v5h-7z',
  ),
  group(
    'sqlmesh',
    'SQLMesh',
    'DATA',
    'Transform data with SQLMesh.',
    'M4 4h16v16H4z',
    'M4 12h16',
    'M12 4v16',
  ),
  group('dataform', 'Dataform', 'DATA', 'Transform data with Dataform.', 'M4 6h10', 'M4 12h16', 'M4 18h7'),
  group(
    'modal',
    'Modal',
    'INFRASTRUCTURE',
    'Run functions in the cloud of Modal.',
    'M4 15l4-9h4l-4 9z',
    'M12 6l4 9h4l-4-9z',
  ),
  group(
    'trivy',
    'Trivy',
    'INFRASTRUCTURE',
    'Find vulnerabilities.',
    'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
    'M9 12l2 2 4-4',
  ),
  group('malloy', 'Malloy', 'DATA', 'Query data with Malloy.', 'M4 18V6l8 8 8-8v12'),
  group('dlt', 'dlt', 'DATA', 'Load data with dlt.', 'M4 7h10v10H4z', 'M14 12h6', 'M17 9l3 3-3 3'),
  group(
    'liquibase',
    'Liquibase',
    'DATABASE',
    'Change the schemas of databases.',
    'M12 3c5 6 6 8 6 11a6 6 0 0 1-12 0c0-3 1-5 6-11',
  ),
  group(
    'cloudquery',
    'CloudQuery',
    'DATA',
    'Load data about clouds.',
    'M7 17a4 4 0 0 1 0-8 5 5 0 0 1 10 0 4 4 0 0 1 0 8z',
    'M12 13l3 3',
  ),
  group(
    'helm',
    'Helm',
    'INFRASTRUCTURE',
    'Install and upgrade charts on Kubernetes.',
    'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10',
    'M12 3v4',
    'M12 17v4',
    'M5 5l3.500 3.500',
    'M19 5l-3.500 3.500',
    'M5 19l3.500-3.500',
    'M19 19l-3.500-3.500',
  ),
  group(
    'meltano',
    'Meltano',
    'DATA',
    'Run pipelines of taps and targets.',
    'M5 19V5',
    'M12 19V5',
    'M19 19V5',
    'M5 5l7 14',
    'M12 5l7 14',
  ),
  group(
    'soda',
    'Soda',
    'DATA',
    'Check the quality of data.',
    'M7 8h10l-1 12H8z',
    'M12 8l2-5',
    'M9 13l2 2 4-4',
  ),
  group(
    'spark',
    'Spark',
    'DATA',
    'Submit applications to Spark.',
    'M12 3l2 6 6 2-5 4 1 6-4-4-5 3 1-6-5-3 6-2z',
  ),
  group(
    'databricks.cli',
    'Databricks CLI',
    'DATA',
    'Commands of Databricks.',
    'M4 9l8-4 8 4-8 4z',
    'M4 14l8 4 8-4',
  ),
  group(
    'datahub',
    'DataHub',
    'DATA',
    'Ingest metadata into DataHub.',
    'M6 6a3 3 0 1 0 .01 0',
    'M18 12a3 3 0 1 0 .01 0',
    'M9 9l6 5',
  ),
  group('beam', 'Apache Beam', 'DATA', 'Run pipelines of Apache Beam.', 'M4 6h6l10 12', 'M4 18h6l4-5'),
  group(
    'kvm',
    'KVM',
    'INFRASTRUCTURE',
    'Virtual machines of libvirt.',
    'M4 5h16v11H4z',
    'M9 20h6',
    'M9 9h6v3H9z',
  ),
];

/** Programs of the command line that share the base of the script tasks. */
export const cliFamily: Family = {
  name: 'cli',
  groups,
  types: [
    ansibleCli,
    terraform,
    opentofu,
    terragrunt,
    sqlmesh,
    dataform,
    modal,
    trivy,
    malloy,
    dlt,
    dltRun,
    liquibase,
    liquibaseDiff,
    cloudquery,
    cloudquerySync,
    helm,
    meltano,
    sodaScan,
    genericTap,
    ...advertisingTaps,
    ...businessTaps,
    ...databaseTaps,
    genericTarget,
    ...databaseTargets,
    ...warehouseTargets,
    ...fileTargets,
    sparkCli,
    ...sparkSubmits,
    databricksCli,
    databricksSqlCli,
    datahubIngestion,
    beamRunPipeline,
    ...kvmTypes,
  ],
};
