import { appendToFile } from './appendToFile.js';
import { countdown } from './countdown.js';
import { folderSizes } from './folderSizes.js';
import { greet } from './greet.js';
import { memory } from './memory.js';
import { newFile } from './newFile.js';
import { officeHours } from './officeHours.js';
import { politely } from './politely.js';
import { ranking } from './ranking.js';

/** The server calls this once at startup, with everything a plugin needs: see the page "Your own plugins". */
export default (kit) => ({
  group: {
    title: 'Acme',
    description: 'What our team needs in its flows.',
    categories: ['OTHER'],
  },
  // One of each kind. Keep what you need.
  types: [
    greet,
    newFile,
    countdown,
    officeHours,
    politely,
    appendToFile,
    folderSizes,
    ranking,
    memory,
  ].map((define) => define(kit)),
});
