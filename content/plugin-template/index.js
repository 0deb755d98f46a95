import { countdown } from './countdown.js';
import { greet } from './greet.js';
import { newFile } from './newFile.js';

/** The server calls this once at its start, with everything a plugin needs: see the page "Plugins of your own". */
export default (kit) => ({
  group: {
    title: 'Acme',
    description: 'What our team needs in its flows.',
    categories: ['OTHER'],
  },
  types: [greet(kit), newFile(kit), countdown(kit)],
});
