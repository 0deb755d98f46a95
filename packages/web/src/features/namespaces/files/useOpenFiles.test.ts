import { expect, it } from 'vitest';
import { fileTab, flowTab } from './useOpenFiles.ts';

it('S2-3.17 a tab knows its name, path and extension, whether it stays, is saved, and is the flow', () => {
  expect(fileTab('/sql/load.SQL', true)).toEqual({
    name: 'load.SQL',
    path: '/sql/load.SQL',
    extension: 'sql',
    persistent: false,
    dirty: true,
    flow: false,
  });
  expect(fileTab('/.env', false).extension).toBe('');
  expect(flowTab('Flow', false)).toMatchObject({ persistent: true, dirty: false, flow: true });
});
