import { describe, expect, it } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import { toPicker } from './DateField.tsx';

describe('the picker of a date field', () => {
  it('shows a moment on the wall clock of the settings', () => {
    writeSetting('timeZone', 'Asia/Tokyo');
    expect(toPicker('DATETIME', '2026-03-01T10:00:00Z')).toBe('2026-03-01T19:00:00');
    expect(toPicker('DATETIME', '2026-03-01T10:00:00+02:00')).toBe('2026-03-01T17:00:00');
  });

  it('shows dates and times as they are', () => {
    expect(toPicker('DATE', '2026-03-01')).toBe('2026-03-01');
    expect(toPicker('TIME', '10:00')).toBe('10:00');
    expect(toPicker('DATE', '')).toBe('');
  });

  it('leaves a text that it cannot show to a text field', () => {
    expect(toPicker('DATE', 'next monday')).toBeUndefined();
    expect(toPicker('TIME', '10:00:00.123')).toBeUndefined();
    expect(toPicker('DATETIME', 'soon')).toBeUndefined();
  });
});
