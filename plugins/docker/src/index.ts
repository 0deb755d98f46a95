import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { build } from './build.ts';
import { compose } from './compose.ts';
import { prune, rm, stop } from './containers.ts';
import { imageLs, pull, push, tag } from './images.ts';
import { modelDelete, modelList, modelPull } from './models.ts';
import { run } from './run.ts';

const boxes = ['M3 12h18c0 5-3 7-8 7-6 0-9-2-10-7', 'M6 9h3v3H6z', 'M9 9h3v3H9z', 'M12 9h3v3h-3z'];

/** Images and containers of Docker or Podman. */
export const dockerFamily: Family = {
  name: 'docker',
  groups: [
    {
      group: 'docker',
      title: 'Docker',
      description: 'Build, run and manage images and containers with Docker or Podman.',
      icon: lineIcon(...boxes),
      categories: ['INFRASTRUCTURE'],
    },
    {
      group: 'docker.cli',
      title: 'Docker images and containers',
      description: 'Build, run and manage images and containers with Docker or Podman.',
      icon: lineIcon(...boxes, 'M9 6h3v3H9z'),
      categories: ['INFRASTRUCTURE'],
    },
    {
      group: 'docker.model',
      title: 'Docker Model Runner',
      description: 'Pull, list and delete local AI models.',
      icon: lineIcon('M4 8h16v11H4z', 'M8 8V5h8v3', 'M9 12v.1', 'M15 12v.1', 'M9 16h6'),
      categories: ['AI'],
    },
  ],
  types: [build, compose, imageLs, prune, pull, push, rm, run, stop, tag, modelDelete, modelList, modelPull],
};
