import { describe, expect, it } from 'vitest';
import { writeStored } from '../../storage/storage.ts';
import { firstView, rememberView } from './ViewSwitch.tsx';

describe('the view of the editor', () => {
  it('S2-2.6 is that of the settings until another is chosen, which is remembered', () => {
    expect(firstView()).toBe('YAML');
    rememberView('NO_CODE');
    expect(firstView()).toBe('NO_CODE');
  });

  it('S2-2s.5 follows the settings again when they change', () => {
    rememberView('YAML');
    writeStored('editorType', 'NO_CODE');
    expect(firstView()).toBe('NO_CODE');
  });

  it('a stored word that means nothing counts as none', () => {
    writeStored('editorView', 'YAML SOMETHING');
    expect(firstView()).toBe('YAML');
  });
});
