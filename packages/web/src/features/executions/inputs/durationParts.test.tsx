import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { DurationInput, durationOf, partsOf } from './DurationInput.tsx';

describe('a duration', () => {
  it.each([
    ['P1Y2M3W4DT5H6M7S', 'P450DT5H6M7S'],
    ['PT90M', 'PT90M'],
    ['P2W', 'P14D'],
    ['PT0S', 'PT0S'],
    ['', ''],
  ])('%s is sent as %j', (text, sent) => expect(durationOf(partsOf(text) ?? {})).toBe(sent));

  it('that is written in another way is no sum of units', () => expect(partsOf('{{ x }}')).toBeUndefined());

  it('S2-3.18 is given in years, months, weeks, days, hours, minutes and seconds', () => {
    let value = 'PT1H';
    render(
      <DurationInput
        label="wait"
        description={undefined}
        withAsterisk={false}
        error={undefined}
        value={value}
        onBlur={() => {}}
        onChange={(next) => {
          value = next;
        }}
      />,
      { wrapper: MantineProvider },
    );
    const units = ['Years', 'Months', 'Weeks', 'Days', 'Hours', 'Minutes', 'Seconds'];
    for (const unit of units) expect(screen.getByLabelText(unit)).toBeTruthy();
    expect(screen.getByLabelText('Hours')).toHaveProperty('value', '1');
    fireEvent.change(screen.getByLabelText('Weeks'), { target: { value: '2' } });
    expect(value).toBe('P14DT1H');
  });
});
