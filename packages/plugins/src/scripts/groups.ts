import type { Group } from '../kit/definition.ts';
import { lineIcon } from '../kit/icon.ts';

const language = (name: string, title: string, ...paths: string[]): Group => ({
  group: `scripts.${name}`,
  title,
  description: `Run ${title} code and commands.`,
  icon: lineIcon('M4 4h16v16H4z', ...paths),
  categories: ['SCRIPT'],
});

export const scriptGroups: readonly Group[] = [
  {
    group: 'scripts',
    title: 'Scripts',
    description: 'Run code and commands in many languages.',
    icon: lineIcon('M4 4h16v16H4z', 'M8 9l3 3-3 3', 'M13 15h4'),
    categories: ['SCRIPT'],
  },
  language('shell', 'Shell', 'M8 9l3 3-3 3', 'M13 15h4'),
];
