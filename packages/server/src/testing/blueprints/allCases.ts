import { aiCases } from './aiCases.ts';
import { brokerCases } from './brokerCases.ts';
import type { Cases } from './case.ts';
import { cloudCases } from './cloudCases.ts';
import { clusterCases } from './clusterCases.ts';
import { databaseCases } from './databaseCases.ts';
import { googleCases } from './googleCases.ts';
import { kafkaCases } from './kafkaCases.ts';
import { localCases } from './localCases.ts';
import { serverCases } from './serverCases.ts';
import { webCases } from './webCases.ts';

export const cases: Cases = {
  ...localCases,
  ...databaseCases,
  ...webCases,
  ...serverCases,
  ...brokerCases,
  ...kafkaCases,
  ...aiCases,
  ...cloudCases,
  ...googleCases,
  ...clusterCases,
};

const docker =
  'needs a Docker engine; the tests of plugins/docker and plugins/scripts run its types with a double';
const images = 'needs a Docker engine that runs the image of the tool';

/** Blueprints that this test does not run, with the reason. */
export const notRun: Readonly<Record<string, string>> = {
  'blob-file-arrival':
    'needs containers of Azure; the live test of plugins/azure runs its types with Azurite',
  'build-and-push-an-image': docker,
  'dbt-build-changed-models': images,
  'dbt-build-from-git': images,
  'scan-images-for-vulnerabilities': images,
  'scripts-in-docker': docker,
  'update-servers-with-ansible': images,
};
