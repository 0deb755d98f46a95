import { aiCases } from './aiCases.ts';
import { brokerCases } from './brokerCases.ts';
import type { Cases } from './case.ts';
import { cloudCases } from './cloudCases.ts';
import { clusterCases } from './clusterCases.ts';
import { containerCases } from './containerCases.ts';
import { databaseCases } from './databaseCases.ts';
import { googleCases } from './googleCases.ts';
import { kafkaCases } from './kafkaCases.ts';
import { localCases } from './localCases.ts';
import { serverCases } from './serverCases.ts';
import { webCases } from './webCases.ts';

/** How each blueprint runs in the test. */
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
  ...containerCases,
};
